-- Write a match's line in the index, unless a later one stands there.
--
-- KEYS  listings, then one sorted set per state
-- ARGV  match, which of KEYS is its state, member in the sorted sets, listing ("epoch version ...")
local function age(listing)
  local epoch, version = string.match(listing, '^(%d+) (%d+) ')
  return tonumber(epoch), tonumber(version)
end
local old = redis.call('HGET', KEYS[1], ARGV[1])
if old then
  local epoch, version = age(ARGV[4])
  local old_epoch, old_version = age(old)
  if old_epoch > epoch or (old_epoch == epoch and old_version >= version) then
    return 0
  end
end
for i = 2, #KEYS do
  redis.call('ZREM', KEYS[i], ARGV[3])
end
redis.call('ZADD', KEYS[tonumber(ARGV[2])], 0, ARGV[3])
redis.call('HSET', KEYS[1], ARGV[1], ARGV[4])
return 1
