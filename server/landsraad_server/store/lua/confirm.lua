-- Return the head of a log, and write it again: WAIT only waits for own writes, and what led to this head came before it.
--
-- KEYS  head
local head = redis.call('GET', KEYS[1])
if head then
  redis.call('SET', KEYS[1], head)
end
return head
