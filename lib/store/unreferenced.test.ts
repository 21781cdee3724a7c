import { access, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Artifacts } from "./artifacts.ts";
import { Unreferenced } from "./unreferenced.ts";

let folder: string;
let artifacts: Artifacts;
let referenced: Set<string>;
let unreferenced: Unreferenced;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "unreferenced-"));
  artifacts = new Artifacts(folder);
  referenced = new Set();
  unreferenced = new Unreferenced(artifacts, async () => new Set(referenced));
});
afterEach(() => rm(folder, { recursive: true }));

const put = async (text: string): Promise<string> => (await artifacts.put([text])).sha256;
const isThere = (sha256: string) =>
  access(artifacts.path(sha256)).then(
    () => true,
    () => false,
  );

test("only those of the named are removed that nothing refers to, and what is not there is no error", async () => {
  const [kept, other, gone] = [await put("kept"), await put("other"), await put("gone")];
  referenced.add(kept);
  await unreferenced.letGo([kept, gone, "0".repeat(64)]);
  expect([await isThere(kept), await isThere(other), await isThere(gone)]).toEqual([true, true, false]);
});

test("while something is stored nothing is removed: the same content may be what it is about to refer to", async () => {
  const former = await put("the same");
  const orphan = await put("orphan");
  await unreferenced.storing(async () => {
    const again = await put("the same");
    await unreferenced.letGo([former, orphan]);
    expect(await isThere(orphan)).toBe(true);
    // Also where another has been stored meanwhile.
    await unreferenced.storing(async () => {});
    expect(await isThere(orphan)).toBe(true);
    referenced.add(again);
  });
  expect([await isThere(former), await isThere(orphan)]).toEqual([true, false]);
});

test("what fails to be stored lets go of what waited, and keeps nobody waiting", async () => {
  const orphan = await put("orphan");
  const failing = unreferenced.storing(async () => {
    await unreferenced.letGo([orphan]);
    throw new Error("the disk is full");
  });
  await expect(failing).rejects.toThrow("the disk is full");
  expect(await isThere(orphan)).toBe(false);
});

test("what was stored by what then failed is let go, but for what something refers to", async () => {
  const kept = await put("kept");
  referenced.add(kept);
  let go = () => {};
  const other = unreferenced.storing(async () => {
    const sha256 = await put("of another");
    await new Promise<void>((resolve) => (go = resolve));
    referenced.add(sha256);
    return sha256;
  });
  const source = join(folder, "upload");
  await writeFile(source, "adopted");
  const failing = unreferenced.storing(async () => {
    await put("kept");
    await put("orphan");
    await artifacts.adopt(source);
    throw new Error("the disk is full");
  });
  await expect(failing).rejects.toThrow("the disk is full");
  go();
  const ofAnother = await other;
  const files = await readdir(artifacts.folder, { recursive: true, withFileTypes: true });
  const names = files.filter((entry) => entry.isFile()).map(({ name }) => name);
  expect(new Set(names)).toEqual(new Set([kept, ofAnother]));
});

test("nothing begins to be stored while it is found out who refers to what", async () => {
  const former = await put("the same");
  let answer = (_: Set<string>) => {};
  const slow = new Unreferenced(artifacts, () => new Promise((resolve) => (answer = resolve)));
  const letting = slow.letGo([former]);
  const stored = slow.storing(async () => (await artifacts.put(["the same"])).sha256);
  const alsoStored = slow.storing(async () => put("else"));
  await new Promise((resolve) => setTimeout(resolve, 20));
  answer(new Set());
  await letting;
  // Removed first, then stored again: not the other way round.
  expect(await stored).toBe(former);
  expect([await isThere(former), await isThere(await alsoStored)]).toEqual([true, true]);
});

test("one that is asked for while others are looked at is looked at next", async () => {
  const [first, second] = [await put("first"), await put("second")];
  await Promise.all([unreferenced.letGo([first]), unreferenced.letGo([second])]);
  expect([await isThere(first), await isThere(second)]).toEqual([false, false]);
});

test("where it is not known who refers to what nothing is removed, and it is told", async () => {
  const told = vi.spyOn(console, "error").mockImplementation(() => {});
  const file = await put("file");
  const unknown = new Unreferenced(artifacts, () => Promise.reject(new Error("no database")));
  await unknown.letGo([file]);
  expect(told).toHaveBeenCalledWith(new Error("no database"));
  expect(await isThere(file)).toBe(true);
  await unknown.storing(async () => {});
  told.mockRestore();
});
