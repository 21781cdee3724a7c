import { ADMISSIONS } from "./admissions.lua.ts";
import { BUCKETS } from "./buckets.lua.ts";
import { ROOM } from "./room.lua.ts";
import { WHOLE_NUMBERS } from "./whole-numbers.lua.ts";

const HEAD = `
local call, K = redis.call, KEYS[1]
local now = tonumber(ARGV[1])
`;
/**
 * Each call that may change something, and each that finds nothing to change but is asked of the buckets, takes the next
 * number of the store's life: by it the logs of all processes are put into one order (G11, G12).
 */
const ORDER = `
local function placedAt(number, life)
  return (life or call('HGET', META, 'life') or '') .. ':' .. format('%.0f', number)
end
local function nextNumber() return call('HINCRBY', META, 'number', 1) end
`;
const COMMON = HEAD + WHOLE_NUMBERS + BUCKETS + ROOM + ADMISSIONS + ORDER;

/**
 * Takes a token from each rule's bucket, or from none (G4, G6).
 * ARGV: now, version the caller knows, service, client, id to hold under or "", hold_ms, "1" for a freebie, rule ids …
 * Answer: how it came out, version, order, wait in ms, places of the rules that lacked (1 …), then for each rule what it holds,
 * and of what: amount, unit; where the caller's version is another one also index, requests, per, burst. "": no bucket.
 */
export const ADMIT = `${COMMON}
local known, client, id = ARGV[2], ARGV[4], ARGV[5]
local version, life = unpack(call('HMGET', META, 'version', 'life'))
if not version then return { 'lost' } end
local number = nextNumber()
moveOn(now)
if id ~= '' and call('HEXISTS', ADM, id) == 1 then return { 'used' } end
enter(ARGV[3])
local fields = { 'max', 'deny' }
for i = 8, #ARGV do fields[#fields + 1] = 'r:' .. ARGV[i] end
local found = call('HMGET', key('svc'), unpack(fields))
-- A service of the version that the caller knows must be there: where it is not, the server has lost some of what it held.
if version == known and not found[1] then return { 'lost' } end

local rules, members, buckets = {}, {}, {}
for place = 1, #found - 2 do
  local rule = ruleFrom(found[place + 2])
  if rule then
    rule.place = place
    rules[#rules + 1] = rule
    members[#members + 1] = memberOf(rule, client)
  end
end

local function answer(how, wait, lacking)
  local reply = { how, version, placedAt(number, life), text(wait), table.concat(lacking, ',') }
  for place = 1, #found - 2 do reply[5 + place] = '' end
  for i, rule in ipairs(rules) do
    if buckets[i] then
      local shown = text(amountAt(buckets[i], rule, now)) .. ' ' .. text(buckets[i].unit)
      if version ~= known then shown = shown .. format(' %.0f %.0f %.0f %.0f', rule.index, rule.requests, rule.per, rule.burst) end
      reply[5 + rule.place] = shown
    end
  end
  return reply
end

local ids = {}
for i, rule in ipairs(rules) do ids[i] = rule.id end
local admission = { service = service, client = client, rules = ids, taken = {}, freebie = ARGV[7] == '1', hold_ms = tonumber(ARGV[6]) }
if #rules == 0 then
  keep(id, admission, now)
  return answer('ok', 0, {})
end

local packed = call('HMGET', key('b'), unpack(members))
local lacking, wait, present, free = {}, 0, 0, 0
for i, rule in ipairs(rules) do
  local bucket = bucketFrom(packed[i])
  if bucket then
    refill(bucket, rule, now)
    bucket.used, buckets[i], present = number, bucket, present + 1
    if bucket.held == 0 then free = free + 1 end
    if lacksToken(bucket) then
      lacking[#lacking + 1] = format('%.0f', rule.place)
      local own = waitOf(bucket, rule)
      if compare(own, wait) > 0 then wait = own end
    end
  end
end
local function saveAll()
  for i, bucket in pairs(buckets) do save(members[i], bucket, rules[i]) end
end
if #lacking > 0 then
  saveAll()
  return answer('rate', wait, lacking)
end

local missing = #rules - present
local short = missing > 0 and call('HLEN', key('b')) + missing - tonumber(found[1]) or 0
if short > 0 then
  -- Its own buckets are the last used ones from here on, so that none of them goes for another (G6).
  saveAll()
  if short > call('ZCARD', key('age')) - free or not makeRoom(short, now, number, found[2] == '1') then
    return answer('capacity', 0, {})
  end
end
for i, rule in ipairs(rules) do
  buckets[i] = buckets[i] or opened(rule, now, number)
  debit(buckets[i])
  if id ~= '' then
    buckets[i].held = buckets[i].held + 1
    admission.taken[i] = { rule = rule.id, born = buckets[i].born }
  end
end
saveAll()
sortOut(now, SORTED_PER_DECISION)
call('HINCRBY', key('tally'), 'reserved', 1)
call('HINCRBY', key('tally'), id == '' and 'committed' or 'outstanding', 1)
keep(id, admission, now)
return answer('ok', 0, {})
`;

/**
 * Ends an admission once (G4). ARGV: now, id, "committed" or "cancelled", "1" to forget it.
 * Answer: how it came out, order; where it was ended before, how; else whether a freebie is to be given back, service, client,
 * and for each living rule that has a bucket: amount, unit, index, requests, per, burst, id.
 */
export const END = `${COMMON}
local id, how = ARGV[2], ARGV[3]
if not call('HGET', META, 'version') then return { 'lost' } end
local order = placedAt(nextNumber())
moveOn(now)
local admission = admissionOf(id)
if not admission then return { 'unknown', order } end
if admission.was ~= '' then return { 'already', order, admission.was } end
enter(admission.service)
if how == 'cancelled' then
  eachTaken(admission, function(member, bucket, rule)
    refill(bucket, rule, now)
    giveBack(bucket, rule)
    save(member, bucket, rule)
  end)
end
close(id, admission, how, now)
if ARGV[4] == '1' then dismiss(id, admission) end

enter(admission.service)
local living = {}
for _, name in ipairs(admission.rules) do
  local rule = ruleFrom(call('HGET', key('svc'), 'r:' .. name))
  if rule then living[#living + 1] = rule end
end
table.sort(living, function(a, b) return a.index < b.index end)
local reply = { how, order, how == 'cancelled' and admission.freebie and '1' or '', service, admission.client }
for _, rule in ipairs(living) do
  local bucket = bucketFrom(call('HGET', key('b'), memberOf(rule, admission.client)))
  if bucket then
    reply[#reply + 1] = text(amountAt(bucket, rule, now)) .. ' ' .. text(bucket.unit)
      .. format(' %.0f %.0f %.0f %.0f ', rule.index, rule.requests, rule.per, rule.burst) .. rule.id
  end
end
return reply
`;

/**
 * Goes over to a snapshot in one step (G8). ARGV: now, version that must be live ("0": none), version to be, its
 * configuration, its services as JSON: name, max, deny, rules with id, requests, per, burst; name of a life that would
 * begin with it. Answer: "1" or "0", the version that is live now, and where it went live, order.
 */
export const PUBLISH = `${COMMON}
local version = call('HGET', META, 'version') or '0'
if version ~= ARGV[2] then return { '0', version } end
if version == '0' then call('HSET', META, 'life', ARGV[6]) end
local order = placedAt(nextNumber())
moveOn(now)

local function writeLimits(limit)
  call('DEL', key('svc'))
  call('HSET', key('svc'), 'max', format('%.0f', limit.max), 'deny', limit.deny and '1' or '')
  for place, rule in ipairs(limit.rules) do
    local packed = packedRule(place - 1, rule.requests, rule.per, rule.burst, rule.id)
    call('HSET', key('svc'), 'r:' .. rule.id, packed, format('i:%06.0f', place - 1), packed)
  end
end

local function limitsOf(name)
  local list, place = {}, 0
  while true do
    local packed = call('HGET', key('svc'), format('i:%06.0f', place))
    if not packed then return list end
    place = place + 1
    list[place] = packed
  end
end

-- Every bucket under its rule of now; those of rules that are gone are gone, and not counted as forgotten.
local function moveBuckets(before, after)
  local old = K .. ':moving'
  call('DEL', old, key('age'), key('fill'), key('full'))
  if call('EXISTS', key('b')) == 1 then call('RENAME', key('b'), old) end
  local cursor = '0'
  repeat
    local page = call('HSCAN', old, cursor, 'COUNT', 500)
    cursor = page[1]
    for i = 1, #page[2], 2 do
      local member, bucket = page[2][i], bucketFrom(page[2][i + 1])
      local rule = ruleFrom(before[tonumber(member:sub(1, 6)) + 1])
      local new = after[rule.id]
      if new then
        handOver(bucket, rule, new, now)
        save(memberOf(new, member:sub(7)), bucket, new)
      end
    end
  until cursor == '0'
  call('DEL', old)
end

local gone = {}
for _, name in ipairs(cjson.decode(call('HGET', META, 'services') or '[]')) do gone[name] = true end
local names = {}
for _, limit in ipairs(cjson.decode(ARGV[5])) do
  enter(limit.name)
  names[#names + 1] = limit.name
  local before = limitsOf(limit.name)
  writeLimits(limit)
  local now_list = limitsOf(limit.name)
  if gone[limit.name] and table.concat(before, '\\0') ~= table.concat(now_list, '\\0') then
    local after = {}
    for _, packed in ipairs(now_list) do
      local rule = ruleFrom(packed)
      after[rule.id] = rule
    end
    moveBuckets(before, after)
  end
  gone[limit.name] = nil
  call('SADD', K .. ':tallies', limit.name)
  trim(now)
end
for name in pairs(gone) do
  enter(name)
  call('DEL', key('svc'), key('b'), key('age'), key('fill'), key('full'))
end
call('HSET', META, 'version', ARGV[3], 'config', ARGV[4], 'services', cjson.encode(names))
return { '1', ARGV[3], order }
`;

/**
 * Lets time come to now, and counts. ARGV: now.
 * Answer: version, order, "1" where that order is its own, since time has changed something, then for each service that ever was: name, buckets, reserved, committed, cancelled, expired,
 * outstanding, full, lossy.
 */
export const COUNT = `${COMMON}
local version = call('HGET', META, 'version')
if not version then return { 'lost' } end
local moved = moveOn(now)
local number = moved and nextNumber() or tonumber(call('HGET', META, 'number') or '0')
local reply = { version, placedAt(number), moved and '1' or '' }
for _, name in ipairs(call('SMEMBERS', K .. ':tallies')) do
  enter(name)
  reply[#reply + 1] = name
  reply[#reply + 1] = format('%.0f', call('HLEN', key('b')))
  local counts = call('HMGET', key('tally'), 'reserved', 'committed', 'cancelled', 'expired', 'outstanding', 'full', 'lossy')
  for i = 1, 7 do reply[#reply + 1] = counts[i] or '0' end
end
return reply
`;

/** Free requests: ARGV: service, field. Where the server has lost what it held nothing is counted: "lost" alone. */
const FREEBIES = `
local call, K, service, field = redis.call, KEYS[1], ARGV[1], ARGV[2]
local counts, META = K .. ':free:' .. service, K .. ':meta'
local life = call('HGET', META, 'life')
if not life then return { 'lost' } end
local function answer(found)
  return { tostring(found), life .. ':' .. string.format('%.0f', call('HINCRBY', META, 'number', 1)) }
end
`;

/** How many were counted so far (G7). Answer: that, order. */
export const FREEBIE_READ = `${FREEBIES}
return answer(call('HGET', counts, field) or '0')
`;

/** Takes one free request back, never below none (G7). Answer: how many are left, order. */
export const FREEBIE_BACK = `${FREEBIES}
local left = call('HINCRBY', counts, field, -1)
if left <= 0 then call('HDEL', counts, field) end
return answer(left)
`;

/** Counts one free request more, unless as many are counted (G7). ARGV: … most. Answer: 1 or 0, order. */
export const FREEBIE_COUNT = `${FREEBIES}
local count = tonumber(call('HGET', counts, field) or '0')
if count >= tonumber(ARGV[3]) then return answer(0) end
call('HINCRBY', counts, field, 1)
return answer(1)
`;
