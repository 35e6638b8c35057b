-- Give a leased clock its next time, or take it out. If it was armed since it was leased, the earlier time holds; and it stays
-- in: the match went on after its holder had looked.
--
-- KEYS  clock set
-- ARGV  match, score of the lease, next time (absent if the match needs no clock any more)
local score = redis.call('ZSCORE', KEYS[1], ARGV[1])
score = score and tonumber(score)
local untouched = score == tonumber(ARGV[2])
if not ARGV[3] then
  return untouched and redis.call('ZREM', KEYS[1], ARGV[1]) or 0
end
if not score or untouched or tonumber(ARGV[3]) < score then
  redis.call('ZADD', KEYS[1], ARGV[3], ARGV[1])
end
return 1
