-- Note that a worker can write to the store, and find out for how long none could.
-- Returns the store's time, the time of the service that was noted last and when that was, and the last pause (its begin and
-- its end), all in ms; -1 for what is not known.
--
-- KEYS  pulse
-- ARGV  the service's time as the worker knows it (empty: it only asks), longest silence, grace
--
-- The silence is measured by the store's time, since workers' clocks may differ; the pause is in the service's time.
local time = redis.call('TIME')
local store_now = time[1] * 1000 + math.floor(time[2] / 1000)
local known = redis.call('HMGET', KEYS[1], 'service', 'seen', 'from', 'until')
for i = 1, 4 do
  known[i] = tonumber(known[i] or -1)
end
local service, seen = known[1], known[2]
if ARGV[1] ~= '' then
  local now = tonumber(ARGV[1])
  if seen >= 0 and store_now - seen > tonumber(ARGV[2]) then
    known[3] = math.max(service, now - (store_now - seen))
    known[4] = now + tonumber(ARGV[3])
    redis.call('HSET', KEYS[1], 'from', known[3], 'until', known[4])
  end
  redis.call('HSET', KEYS[1], 'service', now, 'seen', store_now)
end
return {store_now, service, seen, known[3], known[4]}
