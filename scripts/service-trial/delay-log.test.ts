import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type DelayLine, loopDelay, readDelayLog } from "./delay-log.ts";

const line = (at_ms: number, count: number, steps: [number, number][], rest: Partial<DelayLine> = {}) => ({
  ...{ kind: "stretch" as const, at_ms, count, steps, ran_ms: 25, waited_ms: 50, collected_ms: 5 },
  ...{ disk_pages: 1, resident_bytes: 0, peak_bytes: 0 },
  ...rest,
});
const CALM: [number, number][] = [
  [50, 1],
  [100, 2],
];

test("delays of many stretches are one distribution, and none is told as less than it was", () => {
  const lines = [
    line(250, 99, CALM),
    line(500, 1, [
      [0, 400],
      [100, 400],
    ]),
  ];
  expect(loopDelay(lines, 0, 500)).toMatchObject({ p50_ms: 2, p99_ms: 2, longest_ms: 400 });
  const late = lines.with(
    1,
    line(500, 3, [
      [50, 300],
      [100, 400],
    ]),
  );
  expect(loopDelay(late, 0, 500)).toMatchObject({ p50_ms: 2, p99_ms: 400, longest_ms: 400 });
});

test("only what ended within a while is of it, and parts are of its time", () => {
  const lines = [line(250, 50, [[100, 900]]), line(500, 50, CALM), line(750, 50, CALM), line(1000, 50, CALM)];
  expect(loopDelay(lines, 250, 750)).toEqual({
    ...{ p50_ms: 1, p99_ms: 2, longest_ms: 2, ran: 0.1, waited: 0.2, collected: 0.02, disk_pages: 2 },
  });
  expect(loopDelay(lines, 1000, 2000)).toBeNull();
});

test("what is about the whole life of a process is no stretch, and what a system does not tell is nothing", () => {
  const untold = { ran_ms: null, waited_ms: null };
  const lines = [
    line(250, 50, CALM, untold),
    { ...line(260, 5000, [[100, 9000]]), kind: "all" as const },
    line(500, 50, CALM, untold),
  ];
  expect(loopDelay(lines, 0, 500)).toMatchObject({ longest_ms: 2, ran: 0, waited: 0 });
});

test("a log is read by its process, whichever script it ran; one that wrote nothing is an error", async () => {
  const folder = await mkdtemp(join(tmpdir(), "delays-"));
  try {
    await writeFile(join(folder, "17-next.jsonl"), `${JSON.stringify(line(250, 50, CALM))}\n`);
    expect(await readDelayLog(folder, 17)).toEqual([line(250, 50, CALM)]);
    await expect(readDelayLog(folder, 1)).rejects.toThrow("process 1 wrote nothing");
  } finally {
    await rm(folder, { recursive: true });
  }
});
