-- Note that a worker is alive, by the store's own time. Returns 1 if it was not in the roster.
--
-- KEYS  roster
-- ARGV  worker
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
return redis.call('ZADD', KEYS[1], now, ARGV[1])
