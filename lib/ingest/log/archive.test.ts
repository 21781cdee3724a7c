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
  ["bzip2", [0x42, 0x5a, 0x68, 0x39, 0x31, 0x41, 0x59, 0x26]],
  ["LZ4", [0x04, 0x22, 0x4d, 0x18]],
  ["xz", [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0]],
  ["UTF-16", [0xff, 0xfe, 0x31, 0]],
])("%s is refused by its name", (name, bytes) => {
  expect(() => packingOf(Uint8Array.from(bytes))).toThrow(name);
});

test("a log that begins like bzip2's mark is text", () => {
  expect(packingOf(Buffer.from("BZhang - - "))).toBe("none");
});

test.each([1, 100, 1e6])(
  "gzip: zeros that fill up a block are nothing, and hide nothing behind them, in pieces of %s bytes",
  async (size) => {
    const one = gzipSync(text("one"));
    const zeros = Buffer.alloc(700);
    expect(await read(Buffer.concat([one, zeros]), size)).toBe(text("one"));
    for (const behind of [one, Buffer.from("garbage")])
      await expect(read(Buffer.concat([one, zeros, behind]), size)).rejects.toThrow(/something follows/);
  },
);

test("zstd: frames that hold nothing are passed over, at the beginning too", async () => {
  const one = zstdCompressSync(text("one"));
  const skippable = Buffer.from([0x50, 0x2a, 0x4d, 0x18, 4, 0, 0, 0, 1, 2, 3, 4]);
  for (const size of [1, 1e6])
    expect(await read(Buffer.concat([skippable, one, skippable, one, skippable]), size)).toBe(
      text("one") + text("one"),
    );
});

test.each(Object.entries(packers))(
  "%s: an archive in an archive, and one of files, are no text",
  async (_, pack) => {
    await expect(read(pack(pack(text("one"))))).rejects.toThrow(/packed twice/);
    const tar = Buffer.concat([
      Buffer.from("access.log".padEnd(257, "\0")),
      Buffer.from("ustar\0".padEnd(255, "\0")),
    ]);
    await expect(read(pack(tar))).rejects.toThrow(/tar archive/);
    await expect(read(tar)).rejects.toThrow(/tar archive/);
  },
);

/** Held throughout, so that what is measured does not hide behind what is let go. */
const zeros = Buffer.alloc(256 * 1024 * 1024);

test.each(Object.entries(packers))(
  "%s: what unpacks to thousands of times its size is given piece by piece, not held",
  async (_, pack) => {
    const bomb = pack(zeros);
    const before = process.memoryUsage().arrayBuffers;
    let bytes = 0;
    let most = 0;
    for await (const part of unpacked(inPieces(bomb, bomb.length), packingOf(bomb))) {
      bytes += part.length;
      most = Math.max(most, process.memoryUsage().arrayBuffers - before);
      // Whoever takes it is slower than who unpacks.
      if (bytes % (16 * 1024 * 1024) === 0) await new Promise(setImmediate);
    }
    expect(bytes).toBe(zeros.length);
    expect(most).toBeLessThan(128 * 1024 * 1024);
  },
);
