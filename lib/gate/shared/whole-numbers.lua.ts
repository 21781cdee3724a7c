/**
 * Whole numbers ≥ 0 for scripts, always exact (§2): a plain Lua number (a double) where a result is below 2^53, and
 * otherwise a list of limbs of seven decimal digits, the lowest first. A product or sum of doubles that comes out below
 * 2^53 is exact; one that is larger never rounds to below it. `%` of Lua goes by way of a rounded quotient: fmod does not.
 */
export const WHOLE_NUMBERS = `
local LIMIT, BASE = 9007199254740992, 10000000
local fmod, format, type, tonumber = math.fmod, string.format, type, tonumber

local function limbs(a)
  if type(a) == 'table' then return a end
  local list = {}
  repeat
    local low = fmod(a, BASE)
    list[#list + 1] = low
    a = (a - low) / BASE
  until a == 0
  return list
end

local function trimmed(list)
  while #list > 1 and list[#list] == 0 do list[#list] = nil end
  return list
end

local function text(a)
  if type(a) == 'number' then return format('%.0f', a) end
  local parts = { format('%.0f', a[#a]) }
  for i = #a - 1, 1, -1 do parts[#parts + 1] = format('%07.0f', a[i]) end
  return table.concat(parts)
end

local function parse(digits)
  if #digits <= 15 then return tonumber(digits) end
  local list = {}
  for last = #digits, 1, -7 do list[#list + 1] = tonumber(digits:sub(math.max(1, last - 6), last), 10) end
  return trimmed(list)
end

-- Below 0, 0 or above 0, as a is below, equal to or above b.
local function compare(a, b)
  if type(a) == 'number' and type(b) == 'number' then return a - b end
  local x, y = limbs(a), limbs(b)
  if #x ~= #y then return #x - #y end
  for i = #x, 1, -1 do
    if x[i] ~= y[i] then return x[i] - y[i] end
  end
  return 0
end

local function add(a, b)
  if type(a) == 'number' and type(b) == 'number' and a + b < LIMIT then return a + b end
  local x, y, sum, carry = limbs(a), limbs(b), {}, 0
  for i = 1, math.max(#x, #y) do
    local digit = (x[i] or 0) + (y[i] or 0) + carry
    carry = digit >= BASE and 1 or 0
    sum[i] = digit - carry * BASE
  end
  if carry > 0 then sum[#sum + 1] = carry end
  return sum
end

-- a - b, where a is not below b.
local function subtract(a, b)
  if type(a) == 'number' and type(b) == 'number' then return a - b end
  local x, y, rest, borrow = limbs(a), limbs(b), {}, 0
  for i = 1, #x do
    local digit = x[i] - (y[i] or 0) - borrow
    borrow = digit < 0 and 1 or 0
    rest[i] = digit + borrow * BASE
  end
  return trimmed(rest)
end

local function multiply(a, b)
  if type(a) == 'number' and type(b) == 'number' and a * b < LIMIT then return a * b end
  local x, y, product = limbs(a), limbs(b), {}
  for i = 1, #x + #y do product[i] = 0 end
  for i = 1, #x do
    local carry = 0
    for j = 1, #y do
      -- Below 10^14 + 2 * 10^7.
      local digit = product[i + j - 1] + x[i] * y[j] + carry
      local low = fmod(digit, BASE)
      product[i + j - 1] = low
      carry = (digit - low) / BASE
    end
    product[i + #y] = product[i + #y] + carry
  end
  return trimmed(product)
end

local function nearly(list)
  local value = 0
  for i = #list, 1, -1 do value = value * BASE + list[i] end
  return value
end

-- How often b goes into a < b * BASE, and what is left: a guess by doubles is off by at most a few.
local function digitOf(a, b)
  local digit = math.min(BASE - 1, math.floor(nearly(limbs(a)) / nearly(limbs(b))))
  while compare(multiply(b, digit), a) > 0 do digit = digit - 1 end
  local rest = subtract(a, multiply(b, digit))
  while compare(rest, b) >= 0 do
    digit, rest = digit + 1, subtract(rest, b)
  end
  return digit, rest
end

-- The whole quotient and the remainder; b is above 0.
local function divide(a, b)
  if type(a) == 'number' and type(b) == 'number' then
    local rest = fmod(a, b)
    return (a - rest) / b, rest
  end
  local x, quotient, rest = limbs(a), {}, 0
  for i = #x, 1, -1 do quotient[i], rest = digitOf(add(multiply(rest, BASE), x[i]), b) end
  return trimmed(quotient), rest
end

local function roundedUp(a, b)
  local quotient, rest = divide(a, b)
  return compare(rest, 0) > 0 and add(quotient, 1) or quotient
end

local function commonDivisor(a, b)
  while compare(b, 0) > 0 do
    local _, rest = divide(a, b)
    a, b = b, rest
  end
  return a
end
`;
