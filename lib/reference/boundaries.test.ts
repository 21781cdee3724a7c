import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { NumberText } from "../../contract/decimal.ts";
import { readContract, readPolicy } from "../../contract/input.ts";
import { held } from "../../contract/report.ts";
import { type Recomputation, recompute } from "./recompute.ts";

// Values on the very edge of a rule, where a comparison that is off by one would come to something else.

const sha256 = () => {
  const hash = createHash("sha256");
  return { update: (bytes: Uint8Array) => void hash.update(bytes), hex: () => hash.digest("hex") };
};
const number = (text: string) => new NumberText(text);
const line = (id: string, cost: string, arrival_ms = 0) =>
  `{"req_id": "${id}", "tenant": "a", "arrival_ms": ${arrival_ms}, "cost": ${cost}, "mode": "soft"}\n`;

/** A round of one tenant that begins with nothing and earns a millionth of a token a millisecond. */
async function round(stream: string, options: Partial<Recomputation> = {}, opening = "0") {
  const contract = readContract({
    version: number("1"),
    total_ceiling_per_sec: number("1000"),
    epoch_ms: number("1000"),
    grace_ms: number("1000"),
    group_by: "epoch",
    refill: "snapshot",
    tiers: [{ name: "t", guaranteed: false }],
  });
  if (!contract.ok) throw new Error(JSON.stringify(contract.problems));
  const tenant = {
    tenant: "a",
    tier: "t",
    capacity: number("10000000000"),
    rate: "0.000001/ms",
    ceiling_units: number("1"),
    opening_tokens: number(opening),
  };
  const policy = readPolicy({ tenants: [tenant], denylist: [] }, contract.value);
  if (!policy.ok) throw new Error(JSON.stringify(policy.problems));
  async function* chunks() {
    yield new TextEncoder().encode(stream);
  }
  const found = await recompute({
    contract: contract.value,
    policy: policy.value,
    stream: chunks(),
    reading: "strict",
    sha256,
    ...options,
  });
  if (!found.ok) throw new Error(JSON.stringify(found.skipped));
  return { ...found, figures: held(found.figures), groups: [...found.groups] };
}

/** Ten requests of one epoch that cost nine thousand million tokens and this. */
const nineTimes = (last: string) =>
  [...Array.from({ length: 9 }, (_, at) => line(`r${at}`, "1000000000")), line("r9", last)].join("");

test("a wait of 2^53 − 1 ms is told, one of a millisecond more is not (§3.3)", async () => {
  const longest = await round(nineTimes("7199254.740991"));
  expect(longest.figures.decisions[0]).toMatchObject({ reason: "queue_expired", wait_ms: 2 ** 53 - 1 });
  const longer = await round(nineTimes("7199254.740992"));
  expect(longer.figures.decisions[0]).toMatchObject({ reason: "queue_expired", wait_ms: null });
});

test("a trace is kept where it is asked for, and only of the groups that are asked for", async () => {
  const stream = line("r0", "1") + line("r1", "1", 5000);
  expect((await round(stream)).groups).toEqual([]);
  const all = await round(stream, { trace: true }, "5");
  expect(all.groups.map(({ req_ids, wait_ms }) => [req_ids, wait_ms])).toEqual([
    [["r0"], 0],
    [["r1"], 0],
  ]);
  const some = await round(stream, { trace: (req_ids) => req_ids.includes("r1") });
  expect(some.groups.map(({ req_ids }) => req_ids)).toEqual([["r1"]]);
});

test("the first word of the progress is before any group, the last is how many requests there are", async () => {
  const told: number[] = [];
  await round(line("r0", "1") + line("r1", "1", 5000), { onProgress: (requests) => told.push(requests) });
  expect(told).toEqual([0, 2]);
});

test("an opening that is asked for is that of every bucket, and stands in the figures as it is (§1.2)", async () => {
  const stream = line("r0", "1");
  const [full, empty] = [
    await round(stream, { opening: "full" }),
    await round(stream, { opening: "empty" }, "7"),
  ];
  expect(full.figures.per_tenant.a).toMatchObject({ opening_tokens: 10_000_000_000, accepted: 1 });
  expect(empty.figures.per_tenant.a).toMatchObject({ opening_tokens: 0, accepted: 0 });
});
