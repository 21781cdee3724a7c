/** Provisional admissions of scripts, and ended ones that are still remembered (G4). */
export const ADMISSIONS = `
local ADM, DUE, META = K .. ':adm', K .. ':due', K .. ':meta'

local function admissionOf(id)
  local packed = call('HGET', ADM, id)
  return packed and cmsgpack.unpack(packed)
end

local function dueOf(id, admission) return format('%016.0f', admission.serial) .. id end

local function write(id, admission, due)
  call('HSET', ADM, id, cmsgpack.pack(admission))
  call('ZADD', DUE, format('%.0f', due), dueOf(id, admission))
end

local function dismiss(id, admission)
  call('HDEL', ADM, id)
  call('ZREM', DUE, dueOf(id, admission))
end

-- The living buckets that an admission debited, each with its rule: those of a rule that is gone, or was away, are not (G8).
local function eachTaken(admission, act)
  for _, taken in ipairs(admission.taken) do
    local rule = ruleFrom(call('HGET', key('svc'), 'r:' .. taken.rule))
    local member = rule and memberOf(rule, admission.client)
    local bucket = member and bucketFrom(call('HGET', key('b'), member))
    if bucket and bucket.born == taken.born then act(member, bucket, rule) end
  end
end

local function release(member, bucket, rule)
  bucket.held = bucket.held - 1
  save(member, bucket, rule)
end

-- Writes down how an admission ended; it is remembered for another hold_ms. What it held may go, and goes where it is above the bound.
local function close(id, admission, was, at)
  admission.was = was
  write(id, admission, at + admission.hold_ms)
  if #admission.taken == 0 then return end
  enter(admission.service)
  call('HINCRBY', key('tally'), 'outstanding', -1)
  call('HINCRBY', key('tally'), was, 1)
  if call('EXISTS', key('svc')) == 0 then return end
  eachTaken(admission, release)
  trim(at)
end

-- Lets time come to now: what is due expires at its own time, in order; what ended long ago is forgotten (G4). Whether anything was due.
local function moveOn(now)
  local moved = false
  while true do
    local next = call('ZRANGEBYSCORE', DUE, '-inf', format('%.0f', now), 'WITHSCORES', 'LIMIT', 0, 1)
    if not next[1] then return moved end
    moved = true
    local id = next[1]:sub(17)
    local admission = admissionOf(id)
    if admission.was == '' then close(id, admission, 'expired', tonumber(next[2])) else dismiss(id, admission) end
  end
end

-- Remembers an admission that was just made. One that holds neither token nor freebie reserves nothing (G4).
local function keep(id, admission, now)
  if id == '' or (#admission.taken == 0 and not admission.freebie) then return end
  admission.serial, admission.was = call('HINCRBY', META, 'holds', 1), ''
  write(id, admission, now + admission.hold_ms)
end
`;
