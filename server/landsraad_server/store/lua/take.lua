-- Take from a token bucket. Returns 0, or in how many milliseconds enough will be there.
--
-- KEYS  bucket
-- ARGV  now in ms, capacity, tokens per second, cost
--
-- Counted in thousandths of a token, of which one per token/s is added each millisecond: whole numbers throughout. Workers'
-- clocks differ a little; time that runs backwards adds nothing and takes nothing.
local now, full, rate, cost = tonumber(ARGV[1]), ARGV[2] * 1000, tonumber(ARGV[3]), ARGV[4] * 1000
local kept = redis.call('HMGET', KEYS[1], 'tokens', 'at')
local at = tonumber(kept[2] or now)
local tokens = math.min(full, tonumber(kept[1] or full) + math.max(0, now - at) * rate)
local missing = cost - tokens
if missing <= 0 then
  tokens = tokens - cost
end
redis.call('HSET', KEYS[1], 'tokens', tokens, 'at', math.max(now, at))
-- A full bucket need not be remembered.
redis.call('PEXPIRE', KEYS[1], math.ceil((full - tokens) / rate) + 1000)
return missing > 0 and math.ceil(missing / rate) or 0
