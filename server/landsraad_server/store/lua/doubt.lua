-- Put all logs of this server in doubt: their ends may be lost. Returns the number of logs.
--
-- A head that differs from that of the last entry is how a torn log looks. So no worker, whatever it remembers, can commit to
-- the log before it has loaded it anew and has raised its epoch. See store/doubt.py.
local cursor, count = '0', 0
repeat
  local found = redis.call('SCAN', cursor, 'MATCH', 'head:{*}', 'COUNT', 1000)
  cursor = found[1]
  for _, key in ipairs(found[2]) do
    local version, epoch, nonce, due = string.match(redis.call('GET', key), '^(%d+) (%d+) (%S+) (%d+)$')
    if nonce and string.sub(nonce, 1, 1) ~= '?' then
      redis.call('SET', key, version .. ' ' .. epoch .. ' ?' .. nonce .. ' ' .. due)
      count = count + 1
    end
  end
until cursor == '0'
return count
