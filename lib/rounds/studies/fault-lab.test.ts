import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import type { FaultRow, FaultStudy } from "../../../contract/fault-study.ts";
import { runRound } from "../run/run-round.ts";
import { TrialFolder } from "../trials/trial-folder.ts";
import { runFaultLab } from "./fault-lab.ts";
import { LAB_ROWS } from "./fault-rows.ts";

const ALL = LAB_ROWS.map(({ id }) => id);

async function study(
  change: (text: string) => string = (text) => text,
  options: {
    rows?: string[];
    most_requests?: number;
    reading?: "strict" | "lenient";
    policy?: (text: string) => string;
  } = {},
): Promise<FaultStudy> {
  return TrialFolder.use(async (folder) => {
    const { files } = folder.scenario();
    const input = await folder.write("stream.jsonl", change(await readFile(files.input, "utf8")));
    const policy = await folder.write(
      "policy.json",
      (options.policy ?? String)(await readFile(files.policy, "utf8")),
    );
    const own = join(folder.path, "lab");
    await mkdir(own);
    const found = await runFaultLab(
      { ...files, input, policy, reading: options.reading ?? "strict" },
      { rows: options.rows ?? ALL, most_requests: options.most_requests ?? 1000, folder: own },
    );
    if (!found.ok) throw new Error(found.message);
    return found.study;
  });
}

const rowOf = ({ rows }: FaultStudy, id: string): FaultRow => rows.find((row) => row.id === id)!;
const claimsOf = ({ signals }: FaultRow) =>
  Object.fromEntries(signals.map(({ name, claim, lies }) => [name, lies ? "lies" : claim]));

describe("the scenario under every fault", () => {
  let found: FaultStudy;
  beforeAll(async () => {
    found = await study();
  }, 60_000);

  test("every row of the lab is there, and without a fault all five signals are well", () => {
    expect(found.rows.map(({ id }) => id)).toEqual(ALL);
    expect(found.honest.map(({ claim }) => claim)).toEqual(Array(5).fill("well"));
    expect(found).toMatchObject({ requests: 17, cut_from: null, skipped: 0, stream_sha256: null });
  });

  test("the false green of §7: report, exit and health lie, probe and acceptance do not", () => {
    expect(claimsOf(rowOf(found, "false-green"))).toEqual({
      report: "lies",
      exit: "lies",
      health: "lies",
      probe: "unwell",
      acceptance: "unwell",
    });
    expect(rowOf(found, "problem-state").differences).toBe(rowOf(found, "false-green").differences);
  });

  test("a float is caught by health and probe with its first difference", () => {
    const row = rowOf(found, "float-arithmetic");
    expect(claimsOf(row)).toMatchObject({
      report: "lies",
      exit: "unwell",
      health: "unwell",
      probe: "unwell",
    });
    expect(row.first).toMatchObject({ reported: "3.799999999999999", expected: "3.8", section: "tenants" });
  });

  test("faults of signals are tried beside one that they hide, and only their own lamp lies", () => {
    expect(claimsOf(rowOf(found, "exit-zero"))).toMatchObject({
      exit: "lies",
      health: "unwell",
      probe: "unwell",
    });
    expect(claimsOf(rowOf(found, "self-reference"))).toMatchObject({ health: "lies", probe: "unwell" });
    const empty = rowOf(found, "empty-checks").signals.find(({ name }) => name === "health");
    expect(empty).toMatchObject({ claim: "well", grounded: false, lies: true });
    expect(claimsOf(rowOf(found, "fail-open"))).toMatchObject({ probe: "unknown" });
  });

  test("what survives is said with its reason, and never has a signal that caught it", () => {
    const survivors = found.rows.filter(({ shows }) => !shows);
    expect(survivors.map(({ id }) => id)).toContain("global-reserve-pool");
    for (const { note, signals, differences } of survivors) {
      expect(note).toMatch(/\.$/);
      expect(signals).toEqual([]);
      expect(differences).toBe(0);
    }
  });

  test("every fault of a rule has a smallest stream, confirmed by the reference, and a round of it is red", async () => {
    for (const row of found.rows.filter(({ kind, id }) => kind === "rule" && id !== "hardcoded-ok")) {
      const { smallest } = row;
      expect(smallest, row.id).not.toBeNull();
      expect(smallest!.confirmed, row.id).toBe(true);
      expect(smallest!.is_minimal, row.id).toBe(true);
      expect(smallest!.requests, row.id).toBeLessThanOrEqual(4);
      expect(smallest!.origin === "part", row.id).toBe(row.shows);
      await TrialFolder.use(async (folder) => {
        const { files } = folder.scenario();
        const round = await runRound(
          {
            ...files,
            input: await folder.write("smallest.jsonl", smallest!.stream),
            ...(smallest!.documents === null
              ? {}
              : {
                  contract: await folder.write("c.json", smallest!.documents.contract),
                  policy: await folder.write("p.json", smallest!.documents.policy),
                }),
          },
          { reading: "strict", faults: row.faults },
        );
        expect(round.kind === "decided" && round.truth.mismatches, row.id).toBeGreaterThan(0);
      });
    }
  });
});

test("a stream that shows nothing leaves every fault of a rule a survivor, and nothing to hide", async () => {
  const found = await study(() => "", {
    rows: ALL.filter((id) => id !== "fail-open"),
    // A denied tenant that the policy lists would get a bucket without a request, and that shows.
    policy: (text) => text.replace('"t-delta"\n  ]', '"t-epsilon"\n  ]'),
  });
  expect(found.requests).toBe(0);
  expect(found.rows.filter(({ shows }) => shows).map(({ id }) => id)).toEqual([]);
  expect(rowOf(found, "denylist-ignored").note).toBe("No denylisted tenant sends a request.");
  expect(rowOf(found, "fifo-dispatch").note).toContain("never met");
  expect(rowOf(found, "global-reserve-pool").note).toContain("nobody asks for a reserve");
  // A rule that no request meets is not said to be met.
  expect(found.rows.filter(({ note }) => note.includes("by chance"))).toEqual([]);
  expect(rowOf(found, "exit-zero").note).toContain("nothing for it to hide");
});

test("a stream above the bound is cut, and the study says from how many", async () => {
  const found = await study(undefined, { rows: ["queue-forever"], most_requests: 5 });
  expect(found).toMatchObject({ requests: 5, cut_from: 17 });
  expect(found.stream_sha256).toMatch(/^[0-9a-f]{64}$/);
});

test("bad lines are left out in lenient reading, and refuse the study in strict reading", async () => {
  const broken = (text: string) => `${text}not json\n`;
  expect(await study(broken, { rows: ["queue-forever"], reading: "lenient" })).toMatchObject({
    requests: 17,
    skipped: 1,
  });
  await expect(study(broken, { rows: ["queue-forever"] })).rejects.toThrow("1 bad line");
});

test("a row the lab does not know is an error", async () => {
  await expect(study(undefined, { rows: ["no-such"] })).rejects.toThrow("no-such");
});
