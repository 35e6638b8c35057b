-- Give a leased clock its next time, or take it out. If it was armed since it was leased, the earlier time holds.
--
-- KEYS  clock set
-- ARGV  match, score of the lease, next time (absent if the match needs no clock any more)
if not ARGV[3] then
  return redis.call('ZREM', KEYS[1], ARGV[1])
end
local score = redis.call('ZSCORE', KEYS[1], ARGV[1])
score = score and tonumber(score)
if not score or score == tonumber(ARGV[2]) or tonumber(ARGV[3]) < score then
  redis.call('ZADD', KEYS[1], ARGV[3], ARGV[1])
end
return 1
