import fc from "fast-check";
import { Redis } from "ioredis";
import { afterAll, beforeAll, expect, test } from "vitest";
import { RedisServer } from "./redis-server.ts";
import { WHOLE_NUMBERS } from "./whole-numbers.lua.ts";

const RUNS = 3000;
const SCRIPT = `${WHOLE_NUMBERS}
local a, b = parse(ARGV[1]), parse(ARGV[2])
local reply = { text(add(a, b)), text(multiply(a, b)), compare(a, b) < 0 and '-' or compare(a, b) == 0 and '=' or '+' }
if compare(a, b) >= 0 then reply[#reply + 1] = text(subtract(a, b)) end
if compare(b, 0) > 0 then
  local quotient, rest = divide(a, b)
  for _, value in ipairs({ quotient, rest, roundedUp(a, b), commonDivisor(a, b) }) do reply[#reply + 1] = text(value) end
end
return reply
`;

let server: RedisServer;
let redis: Redis;
beforeAll(async () => {
  server = await RedisServer.start();
  redis = new Redis(server.url);
});
afterAll(async () => {
  redis?.disconnect();
  await server?.stop();
});

const common = (a: bigint, b: bigint): bigint => (b === 0n ? a : common(b, a % b));

function expected(a: bigint, b: bigint): string[] {
  const values = [a + b, a * b, a < b ? "-" : a === b ? "=" : "+"];
  if (a >= b) values.push(a - b);
  if (b > 0n) values.push(a / b, a % b, (a + b - 1n) / b, common(a, b));
  return values.map(String);
}

/** Around powers of ten and of two, where limbs and doubles end, and anywhere below 10^40. */
const EDGES = [7n, 14n, 15n, 16n, 21n, 28n].map((digits) => 10n ** digits).concat([2n ** 53n, 2n ** 54n, 1n]);
const number = fc.oneof(
  fc.record({ edge: fc.constantFrom(...EDGES), off: fc.bigInt(-2n, 2n) }).map(({ edge, off }) => {
    const value = edge + off;
    return value < 0n ? 0n : value;
  }),
  fc.bigInt(0n, 10n ** 40n),
  fc.bigInt(0n, 10n ** 17n),
  fc.bigInt(0n, 1000n),
);

test("whole numbers of scripts are exact, whatever their size (§2)", async () => {
  const seed = Number(process.env.GATE_SEED ?? Date.now() % 1_000_000_007);
  console.info(`whole numbers: seed ${seed}, ${RUNS} runs`);
  await fc.assert(
    fc.asyncProperty(number, number, async (a, b) => {
      expect(await redis.eval(SCRIPT, 0, `${a}`, `${b}`)).toEqual(expected(a, b));
    }),
    { numRuns: RUNS, seed },
  );
});
