import { gzipSync, zstdCompressSync } from "node:zlib";
import { expect, test } from "vitest";
import { packingOf, unpacked } from "./archive.ts";

const text = (name: string) => `${name} ${"x".repeat(1000)}\n`.repeat(500);
const packers = { gzip: gzipSync, zstd: zstdCompressSync };

async function* inPieces(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function read(bytes: Uint8Array, size = bytes.length): Promise<string> {
  const parts: Uint8Array[] = [];
  for await (const part of unpacked(inPieces(bytes, size), packingOf(bytes))) parts.push(part);
  return Buffer.concat(parts).toString();
}

for (const [kind, pack] of Object.entries(packers)) {
  const one = pack(text("one"));
  const two = pack(text("two"));

  test.each([1, 7, 100, 1e6])(
    `${kind}: members one behind the other are one file, in pieces of %s bytes`,
    async (size) => {
      expect(await read(Buffer.concat([one, two, one]), size)).toBe(text("one") + text("two") + text("one"));
    },
  );

  test(`${kind}: a file that is cut off anywhere is an error, never a shorter file`, async () => {
    const whole = Buffer.concat([one, two]);
    for (let cut = 5; cut < whole.length; cut += Math.ceil(whole.length / 60)) {
      if (cut === one.length) continue;
      await expect(read(whole.subarray(0, cut)), `cut at ${cut}`).rejects.toThrow(/is cut off|is damaged/);
    }
    await expect(read(whole.subarray(0, whole.length - 1))).rejects.toThrow(/is cut off/);
  });

  test(`${kind}: something else behind the last member is an error`, async () => {
    await expect(read(Buffer.concat([one, Buffer.from("garbage")]))).rejects.toThrow(/is damaged/);
    await expect(read(Buffer.concat([one, Buffer.from("garbage")]), 3)).rejects.toThrow(/is damaged/);
  });

  test(`${kind}: bytes that were changed are an error`, async () => {
    const changed = Buffer.from(one);
    changed[Math.floor(changed.length / 2)]! ^= 0xff;
    await expect(read(changed)).rejects.toThrow(/is damaged|is cut off/);
  });
}

test("an error of who gives the bytes is passed on as it is", async () => {
  const failing = async function* () {
    yield gzipSync("a").subarray(0, 5);
    throw new Error("the disk is gone");
  };
  await expect(async () => {
    for await (const _ of unpacked(failing(), "gzip"));
  }).rejects.toThrow("the disk is gone");
});

test.each([
  ["ZIP", [0x50, 0x4b, 0x03, 0x04]],
  ["bzip2", [0x42, 0x5a, 0x68, 0x39]],
  ["xz", [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0]],
  ["UTF-16", [0xff, 0xfe, 0x31, 0]],
])("%s is refused by its name", (name, bytes) => {
  expect(() => packingOf(Uint8Array.from(bytes))).toThrow(name);
});
