-- Put all logs of this server in doubt: their ends may be lost. Returns the number of logs, or -1 if there was no need.
--
-- KEYS  run of the server that was written to (absent: all logs are put in doubt in any case)
-- ARGV  run of this server
--
-- A head that differs from that of the last entry is how a torn log looks. So no worker, whatever it remembers, can commit to
-- the log before it has loaded it anew and has raised its epoch. See store/doubt.py.
if KEYS[1] then
  local known = redis.call('GET', KEYS[1])
  if known == ARGV[1] then
    return -1
  end
  redis.call('SET', KEYS[1], ARGV[1])
  if not known then
    return -1
  end
end
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
