import type { ScriptFault } from "./script-fault.ts";

/**
 * Known faults of the shared store. A process of another release, or one whose scripts were tampered with, would run them
 * beside honest ones: every one must be found in the logs of all.
 */
export const SCRIPT_FAULTS: readonly ScriptFault[] = [
  {
    id: "refused-request-spends",
    clause: "G4",
    summary: "A request that one rule denies is debited from the rules that would have allowed it.",
    part: "if #lacking > 0 then\n  saveAll()",
    instead:
      "if #lacking > 0 then\n  for _, bucket in pairs(buckets) do if not lacksToken(bucket) then debit(bucket) end end\n  saveAll()",
  },
  {
    id: "refund-above-burst",
    clause: "G4",
    summary: "A cancelled admission gives its tokens back above the burst.",
    part: "bucket.amount = compare(sum, most) > 0 and most or sum",
    instead: "bucket.amount = sum",
  },
  {
    id: "double-refund",
    clause: "G4",
    summary: "A second cancel gives back again.",
    part: "if admission.was ~= '' then return { 'already', order, admission.was } end",
    instead: `if admission.was ~= '' then
  enter(admission.service)
  if how == 'cancelled' then
    eachTaken(admission, function(member, bucket, rule)
      giveBack(bucket, rule)
      save(member, bucket, rule)
    end)
  end
  return { 'already', order, admission.was }
end`,
  },
  {
    id: "expiry-gives-back",
    clause: "G4",
    summary: "An admission that nobody ended gives its tokens back when it expires.",
    part: "    if admission.was == '' then close(",
    instead: `    if admission.was == '' then
      enter(admission.service)
      eachTaken(admission, function(member, bucket, rule)
        giveBack(bucket, rule)
        save(member, bucket, rule)
      end)
      close(`,
  },
  {
    id: "clock-rewinds",
    clause: "G4",
    summary: "An earlier time becomes the bucket's time, so that the same milliseconds are earned twice.",
    part: "  if now <= bucket.last then return end\n",
    instead: "  if now <= bucket.last then\n    bucket.last = now\n    return\n  end\n",
  },
  {
    id: "retry-rounded-down",
    clause: "G4",
    summary: "A wait is rounded down to a whole millisecond: whoever comes then is denied again.",
    part: "local function waitOf(bucket, rule) return roundedUp(subtract(bucket.unit, bucket.amount), pace(bucket, rule)) end",
    instead:
      "local function waitOf(bucket, rule) return (divide(subtract(bucket.unit, bucket.amount), pace(bucket, rule))) end",
  },
  {
    id: "shortest-wait",
    clause: "G4",
    summary: "The wait is that of the rule that is ready first.",
    part: "if compare(own, wait) > 0 then wait = own end",
    instead: "if wait == 0 or compare(own, wait) < 0 then wait = own end",
  },
  {
    id: "first-refusal-only",
    clause: "G4",
    summary: "Of the rules that lack a token only the first is told.",
    part: "lacking[#lacking + 1] = format('%.0f', rule.place)",
    instead: "lacking[1] = lacking[1] or format('%.0f', rule.place)",
  },
  {
    id: "fractions-lost",
    clause: "G4",
    summary: "What was earned of a token is dropped at each refill.",
    part: "  bucket.amount, bucket.last = amountAt(bucket, rule, now), now\n",
    instead:
      "  bucket.amount, bucket.last = multiply((divide(amountAt(bucket, rule, now), bucket.unit)), bucket.unit), now\n",
  },
  {
    id: "bound-ignored",
    clause: "G6",
    summary: "Buckets are made without regard to the bound.",
    part: "local short = missing > 0 and call('HLEN', key('b')) + missing - tonumber(found[1]) or 0",
    instead: "local short = 0",
  },
  {
    id: "newest-goes-first",
    clause: "G6",
    summary: "Where room is needed the most recently used bucket goes.",
    part: "local member = call('ZRANGE', key('age'), after, after)[1]",
    instead: "local member = call('ZREVRANGE', key('age'), after, after)[1]",
  },
  {
    id: "evictions-uncounted",
    clause: "G6",
    summary: "What is forgotten is not counted.",
    part: "  call('HINCRBY', key('tally'), kind, 1)\n",
    instead: "",
  },
  {
    id: "reload-refills",
    clause: "G8",
    summary: "An update fills every bucket.",
    part: "  if compare(bucket.amount, most) > 0 then bucket.amount = most end\n",
    instead: "  bucket.amount = most\n",
  },
  {
    id: "hold-ignored",
    clause: "G4",
    summary: "A bucket that a provisional admission debited may be forgotten.",
    part: "    buckets[i].held = buckets[i].held + 1\n",
    instead: "",
  },
  {
    id: "freebies-without-end",
    clause: "G7",
    summary: "More free requests are counted than there are.",
    part: "if count >= tonumber(ARGV[3]) then return answer(0) end\n",
    instead: "",
  },
  {
    id: "freebie-kept-on-cancel",
    clause: "G7",
    summary: "A cancelled admission does not get its free request back.",
    part: "local left = call('HINCRBY', counts, field, -1)",
    instead: "local left = tonumber(call('HGET', counts, field) or '0')",
  },
  {
    id: "freebie-counted-twice",
    clause: "G7",
    summary: "One request spends two free ones.",
    part: "call('HINCRBY', counts, field, 1)",
    instead: "call('HINCRBY', counts, field, 2)",
  },
];
