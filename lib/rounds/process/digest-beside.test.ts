import { createHash, randomBytes } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { digestBeside } from "./digest-beside.ts";

/** A file of any size is large enough for a thread. */
const ALWAYS = 0;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "digest-"));
});
afterAll(() => rm(folder, { recursive: true }));

async function made(name: string, bytes: Buffer) {
  const path = join(folder, name);
  await writeFile(path, bytes);
  return { path, sha256: createHash("sha256").update(bytes).digest("hex") };
}

test("a thread finds the digest that the content has, however many ask at once and whatever its size", async () => {
  const sizes = [0, 1, 1024 * 1024, 1024 * 1024 + 1, 3_000_001];
  const files = await Promise.all(sizes.map((size, at) => made(`of-${at}`, randomBytes(size))));
  const found = await Promise.all(files.map(({ path }) => digestBeside(path, ALWAYS)));
  expect(found).toEqual(files.map(({ sha256 }) => sha256));
  expect(await Promise.all(files.map(({ path }) => digestBeside(path)))).toEqual(found);
});

test("what the file system says comes back with its code, and those that wait have their turn", async () => {
  const { path, sha256 } = await made("readable", randomBytes(10));
  const [isFolder, readable, missing] = await Promise.allSettled([
    digestBeside(folder, ALWAYS),
    digestBeside(path, ALWAYS),
    digestBeside(join(folder, "missing"), ALWAYS),
  ]);
  expect(isFolder).toMatchObject({ status: "rejected", reason: { code: "EISDIR" } });
  expect(readable).toEqual({ status: "fulfilled", value: sha256 });
  expect(missing).toMatchObject({ status: "rejected", reason: { code: "ENOENT" } });
});

test("the smallest file that waits is next, however long others have waited", async () => {
  const sizes = [5_000_000, 4_000_000, 3_000_000, 1000, 2_000_000];
  const files = await Promise.all(sizes.map((size, at) => made(`turn-${at}`, Buffer.alloc(size))));
  const ended: number[] = [];
  await Promise.all(
    files.map(({ path }, at) => digestBeside(path, ALWAYS).then(() => ended.push(sizes[at]!))),
  );
  // Which one asked first is left to the system; all others wait for it.
  const [, ...waited] = ended;
  expect(waited).toHaveLength(sizes.length - 1);
  expect(waited).toEqual(waited.toSorted((one, other) => one - other));
});

test("the event loop goes on while a digest is found", async () => {
  const { path, sha256 } = await made("large", randomBytes(32 * 1024 * 1024));
  let turns = 0;
  const counting = setInterval(() => {
    turns += 1;
  }, 1);
  const found = await digestBeside(path);
  clearInterval(counting);
  expect(found).toBe(sha256);
  expect(turns).toBeGreaterThan(0);
});
