import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { decideRound } from "../../engine/decide-round.ts";
import { readColumns } from "../../ingest/canonical-stream.ts";
import { readInputFile } from "../../store/read-file.ts";
import { loadDocuments } from "../run/documents.ts";
import { scenarioFiles } from "../trials/scenario.ts";
import { columnsOf, type ListedRequest, listRequests, streamText } from "./request-list.ts";
import { shrinkStream } from "./shrink-stream.ts";

const request = (id: number): ListedRequest => ({
  req_id: `r${id}`,
  tenant: "a",
  arrival_ms: 1234 * id,
  cost_micro: 1_500_000,
  mode: "hard",
});
const stream = (count: number) => Array.from({ length: count }, (_, at) => request(at));
const ids = (requests: ListedRequest[]) => requests.map(({ req_id }) => req_id);

test("any set of requests that is needed together is found, in the order of lines, and nothing else is kept", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 200 }).chain((count) =>
        fc.record({
          count: fc.constant(count),
          needed: fc.uniqueArray(fc.nat({ max: count - 1 }), { maxLength: 5 }),
        }),
      ),
      ({ count, needed }) => {
        const wanted = needed.sort((a, b) => a - b).map((at) => `r${at}`);
        const shows = (requests: ListedRequest[]) => {
          const have = new Set(ids(requests));
          return wanted.every((id) => have.has(id));
        };
        const found = shrinkStream(stream(count), shows);
        expect(ids(found.requests)).toEqual(wanted);
        expect(found.is_minimal).toBe(true);
      },
    ),
    { numRuns: 300 },
  );
});

test("a stream that does not show it is an error, never an empty answer", () => {
  expect(() => shrinkStream(stream(3), () => false)).toThrow("does not show");
});

test("bounds end the search, and the answer says that it may not be the smallest", () => {
  const shows = (requests: ListedRequest[]) => requests.length >= 10;
  const found = shrinkStream(stream(1000), shows, { trials: 5 });
  expect(found.is_minimal).toBe(false);
  expect(found.trials).toBeLessThanOrEqual(6);
  expect(shows(found.requests)).toBe(true);
  expect(shrinkStream(stream(10), shows, { time_ms: -1 })).toMatchObject({ is_minimal: false, trials: 1 });
});

test("a hundred thousand requests take trials by the logarithm of their number", () => {
  const shows = (requests: ListedRequest[]) => requests.some(({ req_id }) => req_id === "r77777");
  const found = shrinkStream(stream(100_000), shows);
  expect(ids(found.requests)).toEqual(["r77777"]);
  expect(found.trials).toBeLessThan(80);
});

test("requests are made plainer only where that is asked for, and still show", () => {
  const shows = (requests: ListedRequest[]) =>
    requests.reduce((sum, { cost_micro }) => sum + cost_micro, 0) >= 3_000_000;
  expect(shrinkStream(stream(4), shows).requests).toEqual(stream(2));
  const plainer = shrinkStream(stream(4), shows, { plainer: true }).requests;
  expect(shows(plainer)).toBe(true);
  for (const { cost_micro, mode } of plainer) {
    expect(cost_micro % 1_000_000).toBe(0);
    expect(mode).toBe("soft");
  }
});

describe("over the scenario", () => {
  test("the breach of the scenario needs the requests of its group alone", async () => {
    const files = scenarioFiles();
    const documents = await loadDocuments(files);
    if (!documents.ok) throw new Error("the scenario is no round");
    const { contract, policy } = documents.value;
    const { columns } = await readColumns(readInputFile(files.input));
    const breaches = (requests: ListedRequest[]) =>
      decideRound(contract, policy, columnsOf(requests)).decisions.breached.includes(1);
    const found = shrinkStream(listRequests(columns), breaches);
    expect(found.is_minimal).toBe(true);
    expect(breaches(found.requests)).toBe(true);
    for (let at = 0; at < found.requests.length; at++)
      expect(breaches(found.requests.toSpliced(at, 1))).toBe(false);
  });

  test("rows written as a stream are read as the same rows", async () => {
    const { columns } = await readColumns(readInputFile(scenarioFiles().input));
    const rows = listRequests(columns);
    const text = new TextEncoder().encode(streamText(rows));
    const again = await readColumns(
      (async function* () {
        yield text;
      })(),
    );
    expect(again.problemCount).toBe(0);
    expect(listRequests(again.columns)).toEqual(rows);
    expect(columnsOf(rows)).toEqual(columns);
  });
});
