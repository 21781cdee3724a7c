import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { PRESETS } from "../../../contract/starting-point.ts";
import { decideRound } from "../../engine/decide-round.ts";
import { roundFigures } from "../../engine/round-figures.ts";
import { readColumns } from "../../ingest/canonical-stream.ts";
import { readMapping } from "../../ingest/log/request-mapper.ts";
import { sampleLog } from "../../ingest/log/sample-log.ts";
import { validateDocuments } from "../run/documents.ts";
import { percentile, roundUp, startingPoint } from "./starting-point.ts";

const encoder = new TextEncoder();
const line = (tenant: string, arrival_ms: number, cost = 1) =>
  `${JSON.stringify({ req_id: `${tenant}-${arrival_ms}-${cost}`, tenant, arrival_ms, cost, mode: "hard" })}\n`;

const sample = (text: string, most = 100_000) =>
  sampleLog(
    async function* () {
      yield encoder.encode(text);
    },
    null,
    most,
  );

test.each([
  [[], 99, 0],
  [[5], 1, 5],
  [[1, 2, 3, 4], 50, 2],
  [[4, 3, 2, 1], 99, 4],
])("the nearest rank of %j at %s per cent", (values, percent, expected) =>
  expect(percentile(values, percent)).toBe(expected),
);

test.each([
  [0, 0.001],
  [0.0312, 0.032],
  [1, 1],
  [10.1, 11],
  [123, 130],
  [99.5, 100],
])("%s is rounded up to %s", (value, expected) => expect(roundUp(value)).toBe(expected));

test.each(["standard", "scenario"] as const)(
  "%s: a steady tenant is served whole, and the documents are sound",
  async (preset) => {
    const steady = Array.from({ length: 600 }, (_, at) => line("steady", at * 1000)).join("");
    const start = startingPoint(await sample(steady), preset);
    expect(start).toMatchObject({ requests: 600, is_whole: true, tenants: 1, span_ms: 599_000 });
    expect(start.proposed[0]).toMatchObject({
      tenant: "steady",
      burst: 1,
      sustained: 1,
      capacity: 1,
      rate_per_sec: 1,
      accepted: 600,
      rejected: 0,
    });
    const names = { contract: "c", policy: "p" };
    expect(validateDocuments(encoder.encode(start.contract), encoder.encode(start.policy), names).ok).toBe(
      true,
    );
  },
);

test("a burst above the percentile is told as what would have been refused", async () => {
  const steady = Array.from({ length: 600 }, (_, at) => line("t", at * 1000));
  const burst = Array.from({ length: 50 }, (_, at) => line("t", 300_500, 1 + at / 1000));
  const start = startingPoint(await sample([...steady, ...burst].join("")), "standard");
  const own = start.proposed[0]!;
  expect(own.accepted + own.queued + own.rejected).toBe(650);
  expect(own.rejected).toBeGreaterThan(30);
});

test("whoever comes seldom is not refused for it: a log of days holds many minutes without a request", async () => {
  const HOUR_MS = 3_600_000;
  const visits = Array.from({ length: 48 }, (_, hour) =>
    Array.from({ length: 6 }, (_, at) => line("seldom", hour * HOUR_MS + at * 5000)).join(""),
  );
  const own = startingPoint(await sample(visits.join("")), "standard").proposed[0]!;
  expect([own.requests, own.sustained, own.rate_per_sec]).toEqual([288, 0.1, 0.1]);
  const soft = visits.join("").replaceAll('"hard"', '"soft"');
  expect(startingPoint(await sample(soft), "standard").proposed[0]!.rejected).toBe(0);
});

test("a rate is never below the mean, where one minute held more than all others", async () => {
  const seldom = Array.from({ length: 99 }, (_, minute) => line("t", minute * 60_000)).join("");
  const rush = Array.from({ length: 6000 }, (_, at) => line("t", 99 * 60_000 + at * 10)).join("");
  const own = startingPoint(await sample(seldom + rush), "standard").proposed[0]!;
  expect(own.sustained).toBeCloseTo(6099 / 100 / 60, 9);
});

test("twenty are named, the heaviest first, all others go by the template", async () => {
  const many = Array.from({ length: 50 }, (_, tenant) => line(`t${tenant}`, tenant * 10, 1 + tenant)).join(
    "",
  );
  const start = startingPoint(await sample(many), "standard");
  expect(start.proposed).toHaveLength(21);
  expect(start.proposed[0]!.tenant).toBe("t49");
  const template = start.proposed[20]!;
  expect(template).toMatchObject({ tenant: "*", tenants: 30, requests: 30 });
  expect(template.accepted + template.queued + template.rejected).toBe(30);
});

test("where no tenant is heavier than the others, none is named", async () => {
  const equal = Array.from({ length: 200 }, (_, tenant) => line(`t${tenant}`, tenant)).join("");
  const { proposed } = startingPoint(await sample(equal), "standard");
  expect(proposed).toMatchObject([{ tenant: "*", tenants: 200, requests: 200, accepted: 200 }]);
});

test("a tenant named __proto__ is a tenant", async () => {
  const start = startingPoint(await sample(line("__proto__", 0) + line("__proto__", 5)), "standard");
  expect(start.proposed[0]).toMatchObject({ tenant: "__proto__", requests: 2 });
});

test("no more requests are looked at than were asked for, and that is said", async () => {
  const text = Array.from({ length: 100 }, (_, at) => line("t", at)).join("");
  const { columns, isWhole } = await sample(text, 10);
  expect([columns.count, isWhole]).toEqual([10, false]);
});

test("a log is sampled under its mapping, from its earliest request on", async () => {
  const folder = await mkdtemp(join(tmpdir(), "throttle-"));
  try {
    const log = join(folder, "access.log");
    const entry = (second: string) =>
      `192.0.2.1 - - [25/Oct/2026:10:00:${second} +0000] "GET / HTTP/1.1" 200 1\n`;
    await writeFile(log, entry("05") + entry("02"));
    const mapping = readMapping({
      version: 1,
      format: { id: "combined" },
      tenant: { by: "address", field: "remote_addr", v4: 24 },
      arrival: { field: "time_local", unit: "clf" },
      cost: { by: "constant", cost: 2 },
      mode: { by: "constant", mode: "soft" },
      req_id: { by: "line" },
    });
    if (!mapping.ok) throw new Error("no mapping");
    const { readInputFile } = await import("../../store/read-file.ts");
    const { columns } = await sampleLog(() => readInputFile(log), mapping.value, 10);
    expect([...columns.arrivalMs]).toEqual([3000, 0]);
    expect(columns.tenantNames).toEqual(["192.0.2.0/24"]);
  } finally {
    await rm(folder, { recursive: true });
  }
});

test("what a proposal says it would have done is what a round under it does, ids and equal moments included", async () => {
  const request = fc.record({
    req_id: fc.string({ minLength: 1, maxLength: 2, unit: fc.constantFrom("0", "1", "9", "b") }),
    tenant: fc.constantFrom("a", "b", "c", "__proto__"),
    arrival_ms: fc.constantFrom(0, 1, 999, 1000, 1001, 60_000, 90_500),
    cost: fc.constantFrom(0.5, 1, 2, 7),
    mode: fc.constantFrom("soft", "hard"),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.array(request, { minLength: 1, maxLength: 60 }),
      fc.constantFrom(...PRESETS),
      async (requests, preset) => {
        const text = requests.map((own) => `${JSON.stringify(own)}\n`).join("");
        const start = startingPoint(await sample(text), preset);
        const { contract, policy } = start;
        const documents = validateDocuments(encoder.encode(contract), encoder.encode(policy), {
          contract: "c",
          policy: "p",
        });
        if (!documents.ok) throw new Error(JSON.stringify(documents.problems));
        const { columns } = await readColumns(
          (async function* () {
            yield encoder.encode(text);
          })(),
        );
        expect(start.requests).toBe(columns.count);
        const round = roundFigures(decideRound(documents.value.contract, documents.value.policy, columns));
        const sum = (of: "accepted" | "queued" | "rejected") =>
          start.proposed.reduce((total, row) => total + row[of], 0);
        expect({
          accepted: sum("accepted"),
          queued: sum("queued"),
          rejected: sum("rejected"),
          reserve_breached: 0,
        }).toEqual(round.counts);
      },
    ),
    { numRuns: 200 },
  );
});
