-- Add a message to a channel of a match. Returns {1, number, time}, or {0, why[, ms]}: "gone", "moved", "muted" or "wait".
--
-- KEYS  head of the match, its talk (also the channel)
-- ARGV  head at which the message was allowed (empty: any), channel of the talk, sender, request id, message, most
--       messages of a channel, field of the mute that forbids it (empty: none), what a sender may say at once and what
--       one message takes of that, in ms (0: not limited here)
--
-- One hash holds everything: n:CHANNEL the last number, m:CHANNEL:NUMBER a message, r:CHANNEL:NUMBER the field of its
-- request, q:SENDER:REQUEST the answer to it, b:SENDER a budget, x:SEAT:OTHER a mute. The head is compared because a
-- private channel may have closed since it was looked at: nothing is said on a closed one.
local head = redis.call('GET', KEYS[1])
if not head then
  return {0, 'gone'}
end
local request = 'q:' .. ARGV[3] .. ':' .. ARGV[4]
local answered = redis.call('HGET', KEYS[2], request)
if answered then
  local number, at = answered:match('^(%d+) (%d+)$')
  return {1, number, at}
end
if ARGV[1] ~= '' and head ~= ARGV[1] then
  return {0, 'moved'}
end
if ARGV[7] ~= '' and redis.call('HEXISTS', KEYS[2], ARGV[7]) == 1 then
  return {0, 'muted'}
end
local time = redis.call('TIME')
local now = string.format('%d', time[1] * 1000 + math.floor(time[2] / 1000))
local full, cost = tonumber(ARGV[8]), tonumber(ARGV[9])
if cost > 0 then
  local kept = redis.call('HGET', KEYS[2], 'b:' .. ARGV[3])
  local budget = full
  if kept then
    local left, at = kept:match('^(%d+) (%d+)$')
    budget = math.min(full, left + math.max(0, now - at))
  end
  if budget < cost then
    return {0, 'wait', cost - budget}
  end
  redis.call('HSET', KEYS[2], 'b:' .. ARGV[3], string.format('%d %s', budget - cost, now))
end
local number = redis.call('HINCRBY', KEYS[2], 'n:' .. ARGV[2], 1)
local place = ARGV[2] .. ':' .. number
redis.call('HSET', KEYS[2], 'm:' .. place, now .. ' ' .. ARGV[5], 'r:' .. place, request, request, number .. ' ' .. now)
local old = ARGV[2] .. ':' .. (number - ARGV[6])
local first = redis.call('HGET', KEYS[2], 'r:' .. old)
if first then
  redis.call('HDEL', KEYS[2], 'm:' .. old, 'r:' .. old, first)
end
-- Sharded pub/sub came with 7.0, as did this constant.
redis.call(redis.REDIS_VERSION_NUM and 'SPUBLISH' or 'PUBLISH', KEYS[2],
  ARGV[2] .. ' ' .. number .. ' ' .. now .. ' ' .. ARGV[5])
return {1, tostring(number), now}
