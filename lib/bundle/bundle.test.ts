import { createHash } from "node:crypto";
import { strFromU8, strToU8, unzipSync, type Zippable, zipSync } from "fflate/browser";
import { describe, expect, test } from "vitest";
import type { BundleFile } from "../../contract/bundle.ts";
import { BundleProblem } from "./bundle-problem.ts";
import { openBundle } from "./open-bundle.ts";
import { type BundleFacts, bundleChunks } from "./write-bundle.ts";

const TEXTS: Record<BundleFile, string> = {
  contract: '{"version":1}',
  policy: '{"tenants":[]}',
  report: '{"ok":true}',
  stream: `${'{"req_id":"é","tenant":"a"}\n'.repeat(20_000)}`,
};

const factsOf = (text: string) => ({
  name: "a name",
  bytes: Buffer.byteLength(text),
  sha256: createHash("sha256").update(text).digest("hex"),
});

const FACTS: BundleFacts = {
  tool: { name: "tenantthrottle", version: "0.1.0" },
  round: { name: "round", reading: "strict" },
  files: {
    contract: factsOf(TEXTS.contract),
    policy: factsOf(TEXTS.policy),
    report: factsOf(TEXTS.report),
    stream: factsOf(TEXTS.stream),
  },
  claim: { status: 0, checks: 3, mismatches: 0, indeterminate: 0 },
};

async function* inChunksOf(size: number, text: string): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function collected(chunks: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const all: Uint8Array[] = [];
  for await (const chunk of chunks) all.push(chunk.slice());
  return Buffer.concat(all);
}

async function written(facts = FACTS, size = 1000): Promise<Buffer> {
  return collected(bundleChunks(facts, (file) => inChunksOf(size, TEXTS[file])));
}

const blobOf = (bytes: Uint8Array): Blob => new Blob([Uint8Array.from(bytes)]);
const problem = (bytes: Uint8Array, text: RegExp | string) =>
  expect(openBundle(blobOf(bytes))).rejects.toThrow(text);

/** A bundle with its entries changed, packed anew. */
async function repacked(change: (entries: Record<string, Uint8Array>) => Zippable): Promise<Uint8Array> {
  return zipSync(change(unzipSync(await written())), { mtime: new Date(1980, 0, 1) });
}

describe("a bundle that was written", () => {
  test("is read again, file by file, and by any other ZIP reader", async () => {
    const bytes = await written();
    const bundle = await openBundle(blobOf(bytes));
    expect(bundle.manifest).toMatchObject(FACTS);
    for (const file of ["contract", "policy", "report", "stream"] as const)
      expect(Buffer.from(await bundle.bytesOf(file)).toString()).toBe(TEXTS[file]);
    expect((await collected(bundle.chunksOf("stream"))).toString()).toBe(TEXTS.stream);
    expect(Object.keys(unzipSync(bytes))).toEqual([
      "manifest.json",
      "contract.json",
      "policy.json",
      "report.json",
      "stream.jsonl",
    ]);
  });

  test("has the same bytes however its files were read", async () => {
    const bytes = await written();
    for (const size of [1, 65_536, 1_000_000]) expect((await written(FACTS, size)).equals(bytes)).toBe(true);
  });

  test("without its stream has none to give", async () => {
    const facts = { ...FACTS, files: { ...FACTS.files, stream: null } };
    const bundle = await openBundle(blobOf(await written(facts)));
    expect(bundle.manifest.files.stream).toBeNull();
    await expect(bundle.bytesOf("stream")).rejects.toThrow("holds no stream.jsonl");
  });
});

describe("a hostile file is a problem in words", () => {
  test("nothing, text, and an archive cut off anywhere", async () => {
    await problem(new Uint8Array(0), "no whole ZIP archive");
    await problem(strToU8("{}".repeat(100)), "no whole ZIP archive");
    const bytes = await written();
    for (let length = 1; length < bytes.length; length += 97)
      await problem(bytes.subarray(0, length), "no whole ZIP archive");
  });

  test("bytes behind the end, or in front of the beginning", async () => {
    const bytes = await written();
    await problem(Buffer.concat([bytes, Buffer.from([0])]), "no whole ZIP archive");
    await problem(Buffer.concat([Buffer.from([0]), bytes]), /./);
  });

  test("an entry that leads out of the archive, or is not of a bundle", async () => {
    for (const name of ["../../etc/passwd", "/etc/passwd", "C:\\x", "readme.txt", "constructor"])
      await problem(
        await repacked((entries) => ({ ...entries, [`${name}`]: strToU8("x") })),
        "which is no file of a bundle",
      );
  });

  test("one name twice", async () => {
    const bytes = await repacked((entries) => ({ ...entries, "report.jsox": strToU8("{}") }));
    const twice = Buffer.from(bytes.map((byte) => byte));
    for (let at = twice.indexOf("report.jsox"); at >= 0; at = twice.indexOf("report.jsox", at))
      twice.write("report.json", at);
    await problem(twice, 'holds "report.json" twice');
  });

  test("a name that the entry's own header does not have", async () => {
    const bytes = Buffer.from(await written());
    bytes.write("rexort.json", bytes.indexOf("report.json"));
    const bundle = await openBundle(blobOf(bytes));
    await expect(bundle.bytesOf("report")).rejects.toThrow("has another entry where its directory says");
  });

  test("a bomb: sizes that no packing could have, and entries that inflate to more than they say", async () => {
    const bytes = Buffer.from(await written());
    const record = bytes.indexOf("PK\u0001\u0002");
    const huge = Buffer.from(bytes);
    huge.writeUInt32LE(0xfffffff0, record + 24);
    await problem(huge, "which");
    const more = Buffer.from(bytes);
    more.writeUInt32LE(bytes.readUInt32LE(record + 24) - 1, record + 24);
    await problem(more, "but it holds more");
    const fewer = Buffer.from(bytes);
    fewer.writeUInt32LE(bytes.readUInt32LE(record + 24) + 1, record + 24);
    await problem(fewer, "but it holds");
  });

  test("broken packing", async () => {
    const bytes = Buffer.from(await written());
    const packed = bytes.indexOf("stream.jsonl") + "stream.jsonl".length;
    bytes.fill(0xff, packed, packed + 8);
    const bundle = await openBundle(blobOf(bytes));
    await expect(bundle.bytesOf("stream")).rejects.toThrow(BundleProblem);
  });

  test("entries that lie over each other", async () => {
    const bytes = Buffer.from(await written());
    const second = bytes.indexOf("PK\u0001\u0002", bytes.indexOf("PK\u0001\u0002") + 1);
    bytes.writeUInt32LE(10, second + 42);
    await problem(bytes, "lie over each other");
  });

  test("encrypted entries, and packings of other kinds", async () => {
    const bytes = Buffer.from(await written());
    const record = bytes.indexOf("PK\u0001\u0002");
    const encrypted = Buffer.from(bytes);
    encrypted[record + 8]! |= 1;
    await problem(encrypted, "encrypted");
    const other = Buffer.from(bytes);
    other.writeUInt16LE(14, record + 10);
    await problem(other, "method 14");
  });

  test("a manifest that is missing, no JSON, of another format, or speaks of other sizes", async () => {
    await problem(await repacked(({ "manifest.json": _, ...rest }) => rest), "holds no manifest.json");
    const withManifest = (text: string) =>
      repacked((entries) => ({ ...entries, "manifest.json": strToU8(text) }));
    await problem(await withManifest("nothing"), "is no JSON");
    await problem(await withManifest('{"format":"other"}'), "is not of this format");
    const manifest = strFromU8(unzipSync(await written())["manifest.json"]!);
    await problem(await withManifest(manifest.replace('"bytes": 13', '"bytes": 14')), "its manifest says 14");
  });

  test("an entry that is missing", async () => {
    await problem(await repacked(({ "report.json": _, ...rest }) => rest), "holds no report.json");
  });
});
