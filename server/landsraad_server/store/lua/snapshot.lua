-- Keep a snapshot, if its version is in the log and by the same writer: never the state of a history that was lost.
--
-- KEYS  log, snapshot
-- ARGV  entry id, head of that version, snapshot
local found = redis.call('XRANGE', KEYS[1], ARGV[1], ARGV[1])[1]
if found and string.sub(found[2][2], 1, #ARGV[2] + 1) == ARGV[2] .. ' ' then
  redis.call('SET', KEYS[2], ARGV[3])
  return 1
end
return 0
