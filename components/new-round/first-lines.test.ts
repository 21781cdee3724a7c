import { gzipSync, zstdCompressSync } from "node:zlib";
import { expect, test } from "vitest";
import { firstLines } from "./first-lines.ts";

const LOG = Array.from({ length: 500 }, (_, at) => `192.0.2.${at % 250} asked ${at}`).join("\n");
const blob = (content: string | Uint8Array) => new Blob([content as BlobPart]);

test("a packed log is shown as what is in it, not as the archive's bytes, though only its beginning is read", async () => {
  const plain = (await firstLines(blob(LOG))).lines;
  expect(plain).toEqual(LOG.split("\n").slice(0, 5));
  const noise = Array.from({ length: 400_000 }, (_, at) => Math.sin(at).toString(36)).join("");
  const packed = gzipSync(`${LOG}\n${noise}`);
  expect(packed.length).toBeGreaterThan(100_000);
  expect((await firstLines(blob(packed))).lines.slice(0, 4)).toEqual(plain.slice(0, 4));
});

test("what cannot be unpacked in a browser is not shown at all", async () => {
  expect(await firstLines(blob(zstdCompressSync(LOG)))).toEqual({ lines: [], isZip: false });
  expect(await firstLines(blob(Uint8Array.of(0x1f, 0x8b, 0, 0)))).toEqual({ lines: [], isZip: false });
});

test("a bundle is told from a stream, by its bytes", async () => {
  expect(await firstLines(blob(Uint8Array.of(0x50, 0x4b, 0x03, 0x04, 20)))).toEqual({
    lines: [],
    isZip: true,
  });
  expect((await firstLines(blob("PK is a name\n"))).isZip).toBe(false);
});
