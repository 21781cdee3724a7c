import { readFile } from "node:fs/promises";
import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import type { BreachWitness } from "../../../contract/witness.ts";
import { columnsFromRows } from "../../engine/columns-from-rows.ts";
import { decideRound } from "../../engine/decide-round.ts";
import { rounds } from "../../engine/round-arbitrary.ts";
import { readColumns } from "../../ingest/canonical-stream.ts";
import { readInputFile } from "../../store/read-file.ts";
import { validateDocuments } from "../run/documents.ts";
import { scenarioFiles } from "../trials/scenario.ts";
import { breachWitness } from "./breach-witness.ts";
import { columnsOf, listRequests } from "./request-list.ts";

async function scenario() {
  const files = scenarioFiles();
  const [contract, policy] = await Promise.all([readFile(files.contract), readFile(files.policy)]);
  const documents = validateDocuments(contract!, policy!, { contract: "contract", policy: "policy" });
  if (!documents.ok) throw new Error("the scenario is no round");
  const { columns } = await readColumns(readInputFile(files.input));
  return { deciders: documents.value, requests: listRequests(columns) };
}

describe("the scenario's breach", () => {
  let witness: BreachWitness;
  beforeAll(async () => {
    const { deciders, requests } = await scenario();
    witness = await breachWitness(deciders, requests, "t-alpha");
  });

  test("the first breaching group is the one that took the balance below the reserve", () => {
    expect(witness.first).toMatchObject({ tenant: "t-alpha", step: 2, reserve_breached: true });
    expect(witness.first!.signed_after).toBeLessThan(4);
  });

  test("the smallest stream breaks it too, the reference agrees, and no line can be left out", async () => {
    const { smallest } = witness;
    expect(smallest).toMatchObject({ confirmed: true, is_minimal: true });
    expect(smallest!.requests).toBeLessThan(witness.requests);
    expect(smallest!.stream.trimEnd().split("\n")).toHaveLength(smallest!.requests);
    expect(smallest!.groups.at(-1)).toMatchObject({ reserve_breached: true, tenant: "t-alpha" });
    const { deciders, requests } = await scenario();
    const kept = requests.filter(({ req_id }) => smallest!.stream.includes(JSON.stringify(req_id)));
    expect(kept).toHaveLength(smallest!.requests);
    for (const left of kept) {
      const rest = columnsOf(kept.filter((request) => request !== left));
      expect(decideRound(deciders.contract, deciders.policy, rest).decisions.breached.includes(1)).toBe(
        false,
      );
    }
  });

  test("a tenant without a breach, and one that nobody knows, have none", async () => {
    const { deciders, requests } = await scenario();
    expect(await breachWitness(deciders, requests, "t-beta")).toMatchObject({ first: null, smallest: null });
    expect(await breachWitness(deciders, requests, "__proto__")).toEqual({
      tenant: "__proto__",
      requests: 0,
      first: null,
      smallest: null,
    });
  });

  test("a bound that is met says that the stream may not be the smallest", async () => {
    const { deciders, requests } = await scenario();
    const { smallest } = await breachWitness(deciders, requests, "t-alpha", { trials: 1 });
    expect(smallest).toMatchObject({ confirmed: true, is_minimal: false });
  });
});

test("whatever the round, each breaching tenant has a witness that the reference confirms", async () => {
  let witnesses = 0;
  await fc.assert(
    fc.asyncProperty(rounds, async ({ contract, policy, rows }) => {
      // The arbitrary knows costs above the contract's bound (§1.3), which no stream can hold.
      const columns = columnsFromRows(rows.filter(({ cost }) => Number(cost) <= 1e9));
      const { decisions, groups, buckets } = decideRound(contract, policy, columns);
      const breaching = new Set(
        Array.from(groups.bucket)
          .filter((_, group) => decisions.breached[group] === 1)
          .map((bucket) => buckets.names[bucket]!),
      );
      for (const tenant of breaching) {
        const { first, smallest } = await breachWitness({ contract, policy }, listRequests(columns), tenant);
        witnesses += 1;
        expect(first).not.toBeNull();
        expect(smallest).toMatchObject({ confirmed: true, is_minimal: true });
      }
    }),
    { numRuns: 300 },
  );
  expect(witnesses).toBeGreaterThan(20);
}, 120_000);
