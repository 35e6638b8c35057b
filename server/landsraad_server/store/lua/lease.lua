-- Take over the clocks that have run out, by moving them ahead: if their holder dies, they run out again.
--
-- KEYS  clock set
-- ARGV  now, end of the lease, how many at most
local due = redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', ARGV[1], 'LIMIT', 0, ARGV[3])
for _, match in ipairs(due) do
  redis.call('ZADD', KEYS[1], ARGV[2], match)
end
return due
