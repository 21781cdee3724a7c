import { createHash } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ReportBeside } from "../../probe/report-beside.ts";
import { figuresDigest } from "./report-mirror.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "mirror-"));
});
afterAll(() => rm(folder, { recursive: true }));

const bytes = (text: string) => new TextEncoder().encode(text);
const told = '{"counts":{"accepted":1},"decisions":[{"req_id":"é"}]}';
const rest = { ok: true, version: 1 };
const whole = `${told.slice(0, -1)},${JSON.stringify(rest).slice(1)}\n`;

/** What either says of a report whose expected text comes in pieces that end at some places. */
async function judge(report: string | Uint8Array, text: string, cuts: number[] = []) {
  const path = join(folder, "report.json");
  await writeFile(path, report);
  const beside = new ReportBeside(path);
  const ends = [0, ...cuts.map((cut) => cut % (bytes(text).length + 1)), bytes(text).length].sort(
    (a, b) => a - b,
  );
  for (let at = 1; at < ends.length; at++) {
    // The piece is valid during the call alone.
    const piece = bytes(text).slice(ends[at - 1], ends[at]);
    beside.take(piece);
    piece.fill(0);
  }
  const digest = createHash("sha256").update(text).digest("hex");
  const mirrored = (await figuresDigest(path, bytes(text).length)) === digest;
  return { mirrored, beside: beside.finish() };
}

describe("a report beside the text that it should begin with", () => {
  test("is found alike, wherever the pieces end, and its other fields are read", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat()), async (cuts) => {
        expect(await judge(whole, told, cuts)).toEqual({ mirrored: true, beside: rest });
      }),
      { numRuns: 100 },
    );
  });

  test("any byte of it changed is found", async () => {
    const good = bytes(whole);
    for (let at = 0; at < bytes(told).length; at++) {
      const changed = good.slice();
      changed[at]! ^= 1;
      const { mirrored, beside } = await judge(changed, told, [7, 20]);
      expect([at, mirrored, beside]).toEqual([at, false, null]);
    }
  });

  test("one whose figures are said to end elsewhere is not alike", async () => {
    const path = join(folder, "report.json");
    await writeFile(path, whole);
    const digest = createHash("sha256").update(told).digest("hex");
    for (const length of [0, 1, bytes(told).length - 1, bytes(told).length + 1, bytes(whole).length + 9])
      expect([length, (await figuresDigest(path, length)) === digest]).toEqual([length, false]);
  });

  test.each([
    ["cut off", whole.slice(0, 20)],
    ["empty", ""],
    ["of another layout", JSON.stringify(JSON.parse(whole), null, 1)],
    ["without anything behind the figures", told],
  ])("one that is %s is not alike", async (_, report) => {
    expect(await judge(report, told)).toEqual({ mirrored: false, beside: null });
  });
});
