-- Take from a token bucket. Returns 0, or in how many milliseconds enough will be there.
--
-- KEYS  bucket
-- ARGV  capacity, tokens per second, cost
--
-- Counted in thousandths of a token, of which one per token/s is added each millisecond: whole numbers throughout. The time
-- is the store's: a worker whose clock is ahead would keep callers of all others waiting. If it runs backwards, because
-- another server is master now, it adds nothing and takes nothing, and goes on from there.
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local full, rate, cost = ARGV[1] * 1000, tonumber(ARGV[2]), ARGV[3] * 1000
local kept = redis.call('HMGET', KEYS[1], 'tokens', 'at')
local at = tonumber(kept[2] or now)
local tokens = math.min(full, tonumber(kept[1] or full) + math.max(0, now - at) * rate)
local missing = cost - tokens
if missing <= 0 then
  tokens = tokens - cost
end
redis.call('HSET', KEYS[1], 'tokens', tokens, 'at', now)
-- A full bucket need not be remembered.
redis.call('PEXPIRE', KEYS[1], math.ceil((full - tokens) / rate) + 1000)
return missing > 0 and math.ceil(missing / rate) or 0
