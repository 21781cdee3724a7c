import { appendFile, mkdir, mkdtemp, readFile, rename, rm, stat, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { Artifacts, fileDigest } from "./artifacts.ts";
import { Seals } from "./seals.ts";

let folder: string;
let artifacts: Artifacts;
let seals: Seals;
let sha256: string;
let path: string;
let next = 0;

/** Longer than a disk's clock ticks: before that a file is read again at each look. */
const settled = () => setTimeout(60);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "seals-"));
  artifacts = new Artifacts(folder);
});
afterAll(() => rm(folder, { recursive: true }));
beforeEach(async () => {
  seals = new Seals(artifacts);
  ({ sha256 } = await artifacts.put([`what was judged ${next++}`]));
  path = artifacts.path(sha256);
  await settled();
});

test("a file that is what its name says is kept, also when it is asked for by many at once", async () => {
  const looks = await Promise.all(Array.from({ length: 20 }, () => seals.look(sha256)));
  expect(looks.every(({ kind }) => kind === "kept")).toBe(true);
});

test("an unchanged file is read once, and a changed one again", async () => {
  const read = vi.spyOn(artifacts, "digestFile");
  await seals.look(sha256);
  await seals.look(sha256);
  await seals.check(sha256);
  expect(read).toHaveBeenCalledTimes(1);
  await appendFile(path, " and more");
  expect((await seals.look(sha256)).kind).toBe("changed");
  expect(read).toHaveBeenCalledTimes(2);
  read.mockRestore();
});

test("other bytes of the same length under the same times are found, and told by their digest", async () => {
  await seals.look(sha256);
  const { atime, mtime } = await stat(path);
  const text = await readFile(path, "utf8");
  await writeFile(path, text.replace("judged", "JUDGED"));
  await utimes(path, atime, mtime);
  const seal = await seals.look(sha256);
  expect(seal).toEqual({ kind: "changed", found: await fileDigest(path) });
  await writeFile(path, text);
  expect(await seals.look(sha256)).toEqual({ kind: "kept" });
});

test("a file that was put in its place by renaming is found", async () => {
  await seals.look(sha256);
  await writeFile(`${path}.other`, "something else");
  await rename(`${path}.other`, path);
  expect((await seals.look(sha256)).kind).toBe("changed");
});

test("a file that is gone, or whose folder is, is missing; one that is no file cannot be read", async () => {
  await seals.look(sha256);
  await rm(path);
  expect(await seals.look(sha256)).toEqual({ kind: "missing" });
  await rm(dirname(path), { recursive: true });
  expect(await seals.check(sha256)).toEqual({ kind: "missing" });
  await mkdir(path, { recursive: true });
  expect(await seals.look(sha256)).toEqual({ kind: "unreadable" });
  await rm(path, { recursive: true });
});

test("of a large file it is not known before it is read: neither kept nor changed", async () => {
  const slow = new Seals(artifacts, 4);
  expect(await slow.look(sha256)).toEqual({ kind: "checking" });
  expect(await slow.check(sha256)).toEqual({ kind: "kept" });
  expect(await slow.look(sha256)).toEqual({ kind: "kept" });
  await appendFile(path, "!");
  expect(await slow.look(sha256)).toEqual({ kind: "checking" });
  expect((await slow.check(sha256)).kind).toBe("changed");
});

test("a change right behind a reading, within one tick of the disk's clock, is not missed", async () => {
  for (let round = 0; round < 20; round++) {
    const { sha256: fresh } = await artifacts.put([`fresh ${round}`]);
    expect(await seals.look(fresh)).toEqual({ kind: "kept" });
    await writeFile(artifacts.path(fresh), `FRESH ${round}`);
    expect((await seals.look(fresh)).kind).toBe("changed");
  }
});
