-- Note that a worker is alive, by the store's own time, and announce it if what it announces has changed. Returns 1 if it was not
-- in the roster.
--
-- KEYS  roster, announcements, version, changes
-- ARGV  worker, announcement (absent: it announces nothing), changes that are kept
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
if ARGV[2] and redis.call('HGET', KEYS[2], ARGV[1]) ~= ARGV[2] then
  redis.call('HSET', KEYS[2], ARGV[1], ARGV[2])
  local version = redis.call('INCR', KEYS[3])
  redis.call('XADD', KEYS[4], 'MAXLEN', '~', ARGV[3], version .. '-0', ARGV[1], ARGV[2])
end
return redis.call('ZADD', KEYS[1], now, ARGV[1])
