/**
 * Buckets of scripts (G4, G8). Keys hang on one name in braces, so that everything of a gate is in one hash slot: the
 * bound of a service (G6) and a snapshot (G8) are about all of its clients at once.
 *
 *   svc:<service>    limits: max, deny, and by rule "r:<id>" and by place "i:<index>" its index, requests, per, burst, id
 *   b:<service>      a bucket for each "<index><kind><client>": amount, unit, time, last use, holds, birth
 *   age:<service>    those that nothing holds, by last use; of one request by the order of the rules
 *   fill:<service>   those of them that were not seen full, by when they will be
 *   full:<service>   those that were seen full, by last use
 *   tally:<service>  ledger and evictions
 *   adm, due         admissions by id, and what time does to them next
 *   meta             version, config, services, life, number of calls so far
 *
 * A bucket holds amount / unit tokens, where unit is a multiple of the rule's milliseconds. `call`, `K`: see the scripts.
 */
export const BUCKETS = `
local service, limits = nil, {}
local function enter(name)
  service, limits = name, {}
end
local function key(noun) return K .. ':' .. noun .. ':' .. service end

local pack, unpackFrom = struct.pack, struct.unpack

local function packedRule(index, requests, per, burst, id) return pack('dddd', index, requests, per, burst) .. id end
local function ruleFrom(packed)
  if not packed then return nil end
  local index, requests, per, burst = unpackFrom('dddd', packed)
  local most = burst * per
  -- Where no sum of a bucket in the rule's own unit reaches 2^53, doubles are exact without a look at each.
  local plain = 2 * most + requests < LIMIT
  return { index = index, requests = requests, per = per, burst = burst, id = packed:sub(33), most = most, plain = plain }
end

local function memberOf(rule, client) return format('%06.0f', rule.index) .. client end

local function ruleOf(member)
  local index = member:sub(1, 6)
  if not limits[index] then limits[index] = ruleFrom(call('HGET', key('svc'), 'i:' .. index)) end
  return limits[index]
end

-- Six doubles; amount and unit follow as text where one of them is no double.
local function bucketFrom(packed)
  if not packed then return nil end
  local last, used, held, born, amount, unit = unpackFrom('dddddd', packed)
  if #packed > 48 then
    local amountText, unitText = packed:match('^(%d+) (%d+)$', 49)
    amount, unit = parse(amountText), parse(unitText)
  end
  return { amount = amount, unit = unit, last = last, used = used, held = held, born = born }
end

local function packedOf(bucket)
  local amount, unit = bucket.amount, bucket.unit
  if type(amount) == 'number' and type(unit) == 'number' then
    return pack('dddddd', bucket.last, bucket.used, bucket.held, bucket.born, amount, unit)
  end
  return pack('dddddd', bucket.last, bucket.used, bucket.held, bucket.born, 0, 0) .. text(amount) .. ' ' .. text(unit)
end

local function full(bucket, rule) return multiply(rule.burst, bucket.unit) end
-- What comes in each millisecond.
local function pace(bucket, rule) return multiply(rule.requests, (divide(bucket.unit, rule.per))) end

-- The amount at a time, cut at the burst; an earlier time is the bucket's last (G4).
local function amountAt(bucket, rule, now)
  local elapsed = now - bucket.last
  if elapsed <= 0 then return bucket.amount end
  if rule.plain and bucket.unit == rule.per then
    -- After a long time there is no need of large numbers: twice what is needed is enough, however doubles round.
    local earned = rule.requests * elapsed
    return earned > 2 * rule.most and rule.most or math.min(rule.most, bucket.amount + earned)
  end
  local most, each = full(bucket, rule), pace(bucket, rule)
  local earned = add(bucket.amount, multiply(each, elapsed))
  return compare(earned, most) > 0 and most or earned
end

local function refill(bucket, rule, now)
  if now <= bucket.last then return end
  bucket.amount, bucket.last = amountAt(bucket, rule, now), now
  -- A full bucket owes nothing to a former rate: the rule's own unit will do.
  if compare(bucket.unit, rule.per) ~= 0 and compare(bucket.amount, full(bucket, rule)) == 0 then
    bucket.unit = rule.per
    bucket.amount = full(bucket, rule)
  end
end

local function opened(rule, now, number)
  return { amount = multiply(rule.burst, rule.per), unit = rule.per, last = now, used = number, held = 0, born = number }
end

local function lacksToken(bucket) return compare(bucket.amount, bucket.unit) < 0 end
local function debit(bucket) bucket.amount = subtract(bucket.amount, bucket.unit) end
-- Gives one token back, never above the burst (G4).
local function giveBack(bucket, rule)
  local sum, most = add(bucket.amount, bucket.unit), full(bucket, rule)
  bucket.amount = compare(sum, most) > 0 and most or sum
end

local function waitOf(bucket, rule) return roundedUp(subtract(bucket.unit, bucket.amount), pace(bucket, rule)) end
-- When a bucket will be full; 0 where it is full as it stands, whatever the clock says.
local function fullAt(bucket, rule)
  if rule.plain and bucket.unit == rule.per then
    -- Exact: a quotient of numbers below 2^53 that is not whole is further from the next whole one than doubles round.
    return bucket.amount == rule.most and 0 or bucket.last + math.ceil((rule.most - bucket.amount) / rule.requests)
  end
  local missing = subtract(full(bucket, rule), bucket.amount)
  if compare(missing, 0) == 0 then return 0 end
  return bucket.last + tonumber(text(roundedUp(missing, pace(bucket, rule))))
end

-- Hands a bucket over to a rule of the same identity (G8): the balance is cut to the new burst and never raised.
local function handOver(bucket, before, after, now)
  local same = before.burst == after.burst
    and compare(multiply(before.requests, after.per), multiply(after.requests, before.per)) == 0
  if not same then refill(bucket, before, now) end
  local scale = divide(after.per, commonDivisor(bucket.unit, after.per))
  bucket.amount, bucket.unit = multiply(bucket.amount, scale), multiply(bucket.unit, scale)
  local most = full(bucket, after)
  if compare(bucket.amount, most) > 0 then bucket.amount = most end
  -- In the smallest unit that holds the amount, so that many updates do not make it grow.
  local surplus = commonDivisor((divide(bucket.unit, after.per)), bucket.amount)
  bucket.amount, bucket.unit = (divide(bucket.amount, surplus)), (divide(bucket.unit, surplus))
end
`;
