import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { held } from "../../contract/report.ts";
import {
  contractCases,
  type RoundInputs,
  scenario,
  scenarioNames,
  scenarioText,
} from "../engine/case-files.ts";
import { columnsFromRows, type RequestRow } from "../engine/columns-from-rows.ts";
import { decideRound, tracedAgain } from "../engine/decide-round.ts";
import { groupRows } from "../engine/group-rows.ts";
import { rounds } from "../engine/round-arbitrary.ts";
import { roundFigures } from "../engine/round-figures.ts";
import { checksumOf, writeReport } from "../engine/write-report.ts";
import { FAULTS } from "./catalog.ts";
import { injectFaults } from "./inject-faults.ts";

const figuresWith = ({ contract, policy, columns }: Omit<RoundInputs, "name">, ids: string[]) => {
  const outcome = decideRound(contract, policy, columns, injectFaults(ids).rules);
  const figures = roundFigures(outcome);
  return { ...held(figures), checksum: checksumOf(outcome, figures) };
};
const checksumWith = (inputs: Omit<RoundInputs, "name">, ids: string[]) => figuresWith(inputs, ids).checksum;

const scenarios = scenarioNames().map(scenario);
const everything = [...scenarios, ...contractCases()];
const ruleFaults = FAULTS.filter(({ kind }) => kind === "rule").map(({ id }) => id);
const deciding = ruleFaults.filter((id) => id !== "hardcoded-ok");
const main = scenario("2026-10-25-1000");
const expected = JSON.parse(scenarioText(main.name, "expected.json"));

test.each(FAULTS.map(({ id }) => id))(
  "%s decides alike a second time, for the arithmetic of its groups",
  (id) => {
    const { rules } = injectFaults([id]);
    for (const { contract, policy, columns } of everything) {
      const traced = decideRound(contract, policy, columns, rules, true);
      const again = tracedAgain(contract, policy, decideRound(contract, policy, columns, rules));
      expect([...groupRows(again)]).toEqual([...groupRows(traced)]);
    }
  },
);

describe("the scenario 2026-10-25-1000 (§7)", () => {
  const { faults, ...wanted } = expected.problem_state;

  test.each([[faults], [[...faults].reverse()]])("in the problem state, faults in any order", (ids) => {
    const figures = figuresWith(main, ids);
    expect(JSON.parse(JSON.stringify(figures))).toEqual(wanted);
    expect(figures.counts).toEqual({ accepted: 7, queued: 5, rejected: 5, reserve_breached: 0 });
    expect(figures.totals).toEqual({ capacity: 48, used: 27, over_capacity: 0 });
  });

  test("in floats req-0013 waits a millisecond too long", () => {
    const { decisions } = figuresWith(main, ["float-arithmetic"]);
    expect(decisions.find(({ req_id }) => req_id === "req-0013")?.wait_ms).toBe(551);
    expect(expected.float_arithmetic["req-0013.wait_ms"]).toBe(551);
  });
});

describe("no fault is a miss (§6)", () => {
  const told = scenarioNames()
    .filter((name) => name !== main.name)
    .flatMap((name) => {
      const { shows } = JSON.parse(scenarioText(name, "why.json")) as { shows: string[] };
      return shows.map((id) => ({ name, id }));
    });

  test("every fault that decides wrongly has a scenario of its own", () => {
    expect(told.map(({ id }) => id).sort()).toEqual([...deciding].sort());
  });
  test.each(told)("$name shows $id", ({ name, id }) => {
    const inputs = scenario(name);
    expect(checksumWith(inputs, [id])).not.toBe(checksumWith(inputs, []));
  });

  test("hardcoded-ok claims what the engine would not", () => {
    const input = {
      contract_sha256: "",
      policy_sha256: "",
      stream_sha256: "",
      requests: 17,
      skipped: { count: 0, lines: [] },
    };
    const claims = (ids: string[]) => {
      const outcome = decideRound(main.contract, main.policy, main.columns, injectFaults(ids).rules);
      outcome.order = outcome.order.subarray(1);
      return writeReport(outcome, input).ok;
    };
    expect([claims([]), claims(["hardcoded-ok"])]).toEqual([false, true]);
  });
});

describe("overrides", () => {
  const same = (ids: string[], alone: string[]) => {
    for (const inputs of everything) expect(checksumWith(inputs, ids)).toBe(checksumWith(inputs, alone));
  };
  test("input-order over fifo-dispatch", () => {
    same(["input-order", "fifo-dispatch"], ["input-order"]);
    same(["fifo-dispatch", "input-order"], ["input-order"]);
  });
  test("reserve-to-zero over global-reserve-pool", () => {
    same(["reserve-to-zero", "global-reserve-pool"], ["reserve-to-zero"]);
    same(["global-reserve-pool", "reserve-to-zero"], ["reserve-to-zero"]);
  });
  test("incremental-refill leaves double-refill without effect", () => {
    same(["incremental-refill", "double-refill"], ["incremental-refill"]);
    same(["double-refill", "incremental-refill"], ["incremental-refill"]);
  });
  test("neither refill fault touches a continuous bucket", () => {
    for (const inputs of everything.filter(({ contract }) => contract.refill === "continuous"))
      for (const id of ["incremental-refill", "double-refill"])
        expect(checksumWith(inputs, [id])).toBe(checksumWith(inputs, []));
  });
});

test("all pairs of faults decide every case and scenario, in either order alike", () => {
  for (const one of ruleFaults)
    for (const other of ruleFaults)
      for (const inputs of everything)
        if (one < other) expect(checksumWith(inputs, [one, other])).toBe(checksumWith(inputs, [other, one]));
});

test("any faults together decide any round, in any order alike", () => {
  const picks = fc.shuffledSubarray(ruleFaults, { minLength: 1 });
  fc.assert(
    fc.property(rounds, picks, ({ contract, policy, rows }, ids) => {
      const inputs = { contract, policy, columns: columnsFromRows(rows) };
      const figures = figuresWith(inputs, ids);
      expect(figures.decisions).toHaveLength(rows.length);
      expect(checksumWith(inputs, [...ids].reverse())).toBe(figures.checksum);
    }),
    { numRuns: 1000 },
  );
});

describe("what each fault does, by hand", () => {
  const tenant = (fields: object) => ({
    tenant: "t",
    tier: "pledged",
    capacity: "10",
    rate_per_sec: "1",
    ceiling_units: "1",
    reserve_tokens: "2",
    ...fields,
  });
  const decide = (ids: string[], contract: object, tenants: object[], rows: Partial<RequestRow>[]) =>
    figuresWith(
      {
        contract: { ...main.contract, ...contract },
        policy: { tenants: tenants as typeof main.policy.tenants, denylist: [] },
        columns: columnsFromRows(
          rows.map((row, at) => ({
            req_id: `r${at}`,
            tenant: "t",
            arrival_ms: 0,
            cost: "1",
            mode: "soft" as const,
            ...row,
          })),
        ),
      },
      ids,
    );
  const verdicts = (figures: ReturnType<typeof decide>) =>
    figures.decisions.map(({ verdict, wait_ms }) => `${verdict} ${wait_ms}`);

  test("request-at-a-time keeps the epoch's time", () => {
    const rows = [
      { arrival_ms: 1500, cost: "3" },
      { arrival_ms: 1900, cost: "9" },
    ];
    const figures = decide(["request-at-a-time"], {}, [tenant({ opening_tokens: "4" })], rows);
    // At 1000 the balance is 5: 3 are accepted, 2 left reach the reserve and the next borrows to −7.
    expect(verdicts(figures)).toEqual(["accepted 0", "accepted 0"]);
    expect(figures.decisions.map(({ reserve_breached }) => reserve_breached)).toEqual([false, true]);
  });

  test("zero-sentinel: a first group at time 0 sees 0, and later refills go their way", () => {
    const rows = [
      { arrival_ms: 0, cost: "1" },
      { arrival_ms: 2000, cost: "3" },
    ];
    const tenants = [tenant({ opening_tokens: "5" })];
    expect(verdicts(decide(["zero-sentinel"], {}, tenants, rows))).toEqual(["queued 1000", "accepted 0"]);
    const continuous = decide(["zero-sentinel"], { refill: "continuous" }, tenants, rows);
    expect(continuous.decisions[1]).toMatchObject({ verdict: "accepted", reserve_breached: true });
    expect(verdicts(decide([], {}, tenants, rows))).toEqual(["accepted 0", "accepted 0"]);
  });

  test("global-reserve-pool: the sum as it stands, and a bucket that nobody asked for counts too", () => {
    const tenants = [
      tenant({ opening_tokens: "1" }),
      tenant({ tenant: "rich", opening_tokens: "3", reserve_tokens: "2" }),
    ];
    const rows = [{ cost: "2" }, { tenant: "rich", cost: "3", arrival_ms: 1 }, { cost: "3", arrival_ms: 2 }];
    const request = { group_by: "request" };
    // 1 + 3 = 4 reach 2 + 2, so the first borrows; 0 + 3 do not afterwards, and 0 + 0 do not at last.
    expect(verdicts(decide(["global-reserve-pool"], request, tenants, rows))).toEqual([
      "accepted 0",
      "accepted 0",
      "queued 3998",
    ]);
    expect(verdicts(decide([], request, tenants, rows))[0]).toBe("queued 1000");
  });

  test("reserve-to-zero: above 0 is enough, 0 is not", () => {
    const rows = [{ cost: "9" }];
    const at = (opening_tokens: string) =>
      verdicts(decide(["reserve-to-zero"], {}, [tenant({ opening_tokens })], rows))[0];
    expect([at("0.000001"), at("0")]).toEqual(["accepted 0", "queued 9000"]);
  });

  test("negative-balance reports the debt, and the engine's own claim fails (§4)", () => {
    const figures = decide(["negative-balance"], {}, [tenant({ opening_tokens: "2" })], [{ cost: "30" }]);
    expect(figures.per_tenant.t?.closing_tokens).toBe(-28);
  });

  test("queue-forever queues what has no wait", () => {
    const still = [tenant({ rate_per_sec: "0", opening_tokens: "0" })];
    expect(verdicts(decide(["queue-forever"], {}, still, [{}]))).toEqual(["queued null"]);
  });
});
