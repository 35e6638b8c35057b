-- Commit one entry, if the log stands where the writer believes it stands. Returns 1, or the head that is there instead.
--
-- KEYS  log (also the channel), head, listing (absent if unchanged)
-- ARGV  head before, head after, entry id, entry, listing (absent if unchanged)
--
-- The whole head is compared, nonce included: equal version numbers after a failover may hide different histories, and an
-- explicit stream id alone would only test that an entry is newer, not that it is the next.
local head = redis.call('GET', KEYS[2]) or '0 0 - 0'
if head == ARGV[1] then
  redis.call('XADD', KEYS[1], ARGV[3], 'e', ARGV[4])
  redis.call('SET', KEYS[2], ARGV[2])
  if ARGV[5] then
    redis.call('SET', KEYS[3], ARGV[5])
  end
  -- Sharded pub/sub came with 7.0, as did this constant.
  redis.call(redis.REDIS_VERSION_NUM and 'SPUBLISH' or 'PUBLISH', KEYS[1], ARGV[4])
  return 1
elseif head == ARGV[2] then
  -- Committed before, and the reply was lost. Written again unchanged, because WAIT only waits for own writes.
  redis.call('SET', KEYS[2], head)
  return 1
end
return head
