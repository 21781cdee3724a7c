/**
 * Which bucket of a service goes first when room is needed (G6). Sorted sets hold the buckets that nothing holds; a
 * debit or a refill moves them at once, and time moves them a few at a decision, so that no decision has to sort out
 * what a quiet hour has filled.
 */
export const ROOM = `
local SORTED_PER_DECISION = 4

local function unlist(member)
  call('ZREM', key('age'), member)
  call('ZREM', key('fill'), member)
  call('ZREM', key('full'), member)
end

-- Writes a bucket down, and puts it where it belongs in the order of going.
local function save(member, bucket, rule)
  call('HSET', key('b'), member, packedOf(bucket))
  if bucket.held > 0 then return unlist(member) end
  call('ZADD', key('age'), format('%.0f', bucket.used), member)
  call('ZADD', key('fill'), format('%.0f', fullAt(bucket, rule)), member)
  call('ZREM', key('full'), member)
end

local function forget(member, kind)
  call('HDEL', key('b'), member)
  unlist(member)
  call('HINCRBY', key('tally'), kind, 1)
end

-- Moves at most so many buckets that are full by now to those that go first; how many it moved.
local function sortOut(now, most)
  local due = call('ZRANGEBYSCORE', key('fill'), '-inf', format('%.0f', now), 'LIMIT', 0, most)
  for _, member in ipairs(due) do
    call('ZADD', key('full'), call('ZSCORE', key('age'), member), member)
    call('ZREM', key('fill'), member)
  end
  return #due
end

-- The member after the first so many that are full now, least recently used first; nil where only those of the request own are left.
local function nextFull(after, now, own)
  while true do
    local member = call('ZRANGE', key('full'), after, after)[1]
    if not member then return nil end
    local bucket = bucketFrom(call('HGET', key('b'), member))
    local at = fullAt(bucket, ruleOf(member))
    if at <= now then return bucket.used ~= own and member or nil end
    -- The clock went back.
    call('ZREM', key('full'), member)
    call('ZADD', key('fill'), format('%.0f', at), member)
  end
end

-- The buckets to forget for so many rooms, in order, each with its kind; nil where not so many may be forgotten.
local function victims(short, now, own, onlyFull)
  while sortOut(now, 100) > 0 do end
  local chosen, kinds = {}, {}
  while #chosen < short do
    local member = nextFull(#chosen, now, own)
    if not member then break end
    chosen[#chosen + 1], kinds[member] = member, 'full'
  end
  local after = 0
  while not onlyFull and #chosen < short do
    -- The own ones were used last, and whoever asks has seen that there are enough without them.
    local member = call('ZRANGE', key('age'), after, after)[1]
    if not member then break end
    if not kinds[member] then chosen[#chosen + 1], kinds[member] = member, 'lossy' end
    after = after + 1
  end
  if #chosen < short then return nil end
  return chosen, kinds
end

-- Forgets for so many rooms, or nothing, and then it says false (G6).
local function makeRoom(short, now, own, onlyFull)
  local chosen, kinds = victims(short, now, own, onlyFull)
  if not chosen then return false end
  for _, member in ipairs(chosen) do forget(member, kinds[member]) end
  return true
end

-- Forgets what is above the bound, as far as nothing holds it (G8).
local function trim(now)
  local above = call('HLEN', key('b')) - tonumber(call('HGET', key('svc'), 'max'))
  local count = math.min(above, call('ZCARD', key('age')))
  if count > 0 then makeRoom(count, now, -1, false) end
end
`;
