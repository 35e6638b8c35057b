-- Let clocks run out no later than told.
--
-- KEYS  clock set
-- ARGV  match, due, match, due, ...
--
-- Half milliseconds mark a leased clock (see lease.lua). Rounding one down tells its holder, when it settles, that the match
-- went on meanwhile and that what the holder knows may be old.
for i = 1, #ARGV, 2 do
  local due = tonumber(ARGV[i + 1])
  local score = redis.call('ZSCORE', KEYS[1], ARGV[i])
  score = score and tonumber(score)
  if not score or due < score then
    redis.call('ZADD', KEYS[1], ARGV[i + 1], ARGV[i])
  elseif score % 1 ~= 0 then
    redis.call('ZADD', KEYS[1], math.floor(score), ARGV[i])
  end
end
return #ARGV / 2
