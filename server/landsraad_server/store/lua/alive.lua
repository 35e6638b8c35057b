-- Return the workers that were alive a short time ago, by the store's own time.
--
-- KEYS  roster
-- ARGV  that time in ms
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
return redis.call('ZRANGEBYSCORE', KEYS[1], now - ARGV[1], '+inf')
