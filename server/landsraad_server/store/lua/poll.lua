-- Take over the clocks of one set that have run out, for the worker that polls it. A worker whose own the set is becomes its
-- poller at once, any other once the present one has been silent. Returns the matches; to all but the poller, the ms until the
-- set may have none.
--
-- KEYS  clock set, its poller
-- ARGV  now, end of the lease, how many at most, worker, silence in ms after which it has no poller, 1: the set is its own
local poller = redis.call('GET', KEYS[2])
local left = redis.call('PTTL', KEYS[2])
if poller and poller ~= ARGV[4] and ARGV[6] ~= '1' then
  return left
end
if poller ~= ARGV[4] or left < ARGV[5] / 2 then
  redis.call('SET', KEYS[2], ARGV[4], 'PX', ARGV[5])
end
local due = redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', ARGV[1], 'LIMIT', 0, ARGV[3])
for _, match in ipairs(due) do
  redis.call('ZADD', KEYS[1], ARGV[2], match)
end
return due
