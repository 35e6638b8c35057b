-- Withdraw what a worker has announced. Returns 1 if there was anything.
--
-- KEYS  announcements, version, changes
-- ARGV  worker, changes that are kept
if redis.call('HDEL', KEYS[1], ARGV[1]) == 0 then
  return 0
end
local version = redis.call('INCR', KEYS[2])
redis.call('XADD', KEYS[3], 'MAXLEN', '~', ARGV[2], version .. '-0', ARGV[1], '')
return 1
