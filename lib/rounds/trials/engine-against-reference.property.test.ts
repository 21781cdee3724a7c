import { deepStrictEqual } from "node:assert/strict";
import fc from "fast-check";
import { expect, test } from "vitest";
import { KINDS, roundFiles } from "./round-files-arbitrary.ts";
import { engineSide, inputsOf, referenceSide } from "./two-sides.ts";

/** Rounds of each kind: more than 10 000 in all. A failure prints its seed and the three files, shrunk. */
const RUNS = 2600;

/** How often the random rounds met what they are there to meet. */
type Tally = Map<string, number>;

/** Everything a round may hold that decides differently; each must be met, or the comparison says nothing. */
const MUST_MEET = [
  ...[1, 2, 3, 4, 5, 6].map((step) => `step ${step}`),
  "reason denylisted",
  "reason unknown_tenant",
  "a wait of null beyond step 3",
  "debt",
  "a bucket in doubles",
  "a bucket in big integers",
  "a template's bucket",
  "a bucket called __proto__",
  "a skipped line",
  "no request at all",
];

function meet(
  tally: Tally,
  { outcome, figures, groups, skipped, requests }: Awaited<ReturnType<typeof engineSide>>,
) {
  const seen = (what: string) => tally.set(what, (tally.get(what) ?? 0) + 1);
  for (const { step, signed_balance, wait_ms, req_ids } of groups) {
    seen(`step ${step}`);
    if (signed_balance < 0) seen("debt");
    if (step > 3 && wait_ms === null) seen("a wait of null beyond step 3");
    if (req_ids.length > 1) seen("a group of several");
  }
  for (const { reason } of figures.decisions) if (reason !== null) seen(`reason ${reason}`);
  for (const flag of outcome.buckets.isWide)
    seen(flag === 1 ? "a bucket in big integers" : "a bucket in doubles");
  for (const { tenant } of outcome.buckets.tenants) if (tenant === "*") seen("a template's bucket");
  if (Object.hasOwn(figures.per_tenant, "__proto__")) seen("a bucket called __proto__");
  if (skipped.count > 0) seen("a skipped line");
  if (requests === 0) seen("no request at all");
}

test.each(KINDS)(
  "engine and reference agree on every value of random rounds: group_by $group_by, refill $refill",
  async (kind) => {
    const tally: Tally = new Map();
    await fc.assert(
      fc.asyncProperty(roundFiles(kind), async (files) => {
        const inputs = inputsOf(files);
        const engine = await engineSide(inputs);
        const { outcome, ...values } = engine;
        deepStrictEqual(values, await referenceSide(inputs));
        // Both could lose a line alike: the files know how many they have.
        deepStrictEqual([values.requests, values.skipped.count], [files.requests, files.bad_lines]);
        meet(tally, engine);
      }),
      { numRuns: RUNS },
    );
    const rare = [...MUST_MEET, ...(kind.group_by === "epoch" ? ["a group of several"] : [])].filter(
      (what) => (tally.get(what) ?? 0) < 20,
    );
    expect(rare).toEqual([]);
  },
  300_000,
);
