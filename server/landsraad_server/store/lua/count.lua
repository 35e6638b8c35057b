-- Count a match of an account. Returns 1 if it counts, now or already; 0 if there are too many.
--
-- KEYS  set of the account
-- ARGV  match, now in ms, how many there may be
if redis.call('ZSCORE', KEYS[1], ARGV[1]) then
  return 1
end
if redis.call('ZCARD', KEYS[1]) >= tonumber(ARGV[3]) then
  return 0
end
return redis.call('ZADD', KEYS[1], ARGV[2], ARGV[1])
