-- Commit one entry to a log whose chain is broken: the entries behind the break go, and the new one follows what is intact.
-- Returns 1, or the head that is there instead.
--
-- KEYS  log (also the channel), head, listing (absent if unchanged)
-- ARGV  head as it was found (empty: none), head after, id of the last intact entry, entry id, entry, listing (absent if
--       unchanged)
--
-- The stream is written anew if entries go: they can be deleted from its end, but their ids can not be used again.
local head = redis.call('GET', KEYS[2]) or ''
if head == ARGV[1] then
  local last
  if redis.call('EXISTS', KEYS[1]) == 1 then
    local about = redis.call('XINFO', 'STREAM', KEYS[1])
    for i = 1, #about, 2 do
      last = about[i] == 'last-generated-id' and about[i + 1] or last
    end
  end
  if last ~= ARGV[3] then
    local intact = redis.call('XRANGE', KEYS[1], '-', ARGV[3])
    redis.call('DEL', KEYS[1])
    for _, kept in ipairs(intact) do
      redis.call('XADD', KEYS[1], kept[1], 'e', kept[2][2])
    end
  end
  redis.call('XADD', KEYS[1], ARGV[4], 'e', ARGV[5])
  redis.call('SET', KEYS[2], ARGV[2])
  if ARGV[6] then
    redis.call('SET', KEYS[3], ARGV[6])
  end
  redis.call(redis.REDIS_VERSION_NUM and 'SPUBLISH' or 'PUBLISH', KEYS[1], ARGV[5])
  return 1
elseif head == ARGV[2] then
  redis.call('SET', KEYS[2], head)
  return 1
end
return head ~= '' and head or '0 0 - 0'
