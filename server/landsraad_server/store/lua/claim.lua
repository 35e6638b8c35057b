-- Take over workers that have died, by moving their time ahead: if their finder dies, they are found again.
--
-- KEYS  roster
-- ARGV  silence in ms after which a worker is dead, by the store's own time; how many at most
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local dead = redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', now - ARGV[1], 'LIMIT', 0, ARGV[2])
for _, worker in ipairs(dead) do
  redis.call('ZADD', KEYS[1], now, worker)
end
return dead
