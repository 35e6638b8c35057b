-- Mute a seat for another one, or end that. Returns 1; 0 if there is no such match.
--
-- KEYS  head of the match, its talk (also the channel)
-- ARGV  field of the mute, 1 to mute or 0
if redis.call('EXISTS', KEYS[1]) == 0 then
  return 0
end
if ARGV[2] == '1' then
  redis.call('HSET', KEYS[2], ARGV[1], 1)
else
  redis.call('HDEL', KEYS[2], ARGV[1])
end
redis.call(redis.REDIS_VERSION_NUM and 'SPUBLISH' or 'PUBLISH', KEYS[2], '')
return 1
