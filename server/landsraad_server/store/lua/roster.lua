-- Read the announcements that have changed since a version; all of those that are alive if that version is unknown, or too old.
-- Returns the present version, 1 if it is the whole roster, and workers with their announcements (empty: withdrawn).
--
-- KEYS  roster, announcements, version, changes
-- ARGV  version that the reader has (0: none), time in ms after which a silent worker is not alive
local version = tonumber(redis.call('GET', KEYS[3]) or '0')
local known = tonumber(ARGV[1])
if known > 0 and known == version then
  return {version, 0, {}}
end
if known > 0 and known < version then
  local found = {}
  local changes = redis.call('XRANGE', KEYS[4], (known + 1) .. '-0', '+')
  if #changes == version - known then
    for _, change in ipairs(changes) do
      found[#found + 1] = change[2][1]
      found[#found + 1] = change[2][2]
    end
    return {version, 0, found}
  end
end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local found = {}
for _, worker in ipairs(redis.call('ZRANGEBYSCORE', KEYS[1], now - ARGV[2], '+inf')) do
  local announced = redis.call('HGET', KEYS[2], worker)
  if announced then
    found[#found + 1] = worker
    found[#found + 1] = announced
  end
end
return {version, 1, found}
