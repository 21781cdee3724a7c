import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openStore, type Store } from "../store/open-store.ts";
import { SavedDocuments } from "./saved-documents.ts";
import { scenarioFiles } from "./trials/scenario.ts";

let folder: string;
let store: Store;
let saved: SavedDocuments;
const files = scenarioFiles();
const contract = { name: "c.json", text: await readFile(files.contract, "utf8") };
const policy = { name: "p.json", text: await readFile(files.policy, "utf8") };
const withPolicy = (text: string) => ({ contract, policy: { name: "p.json", text } });
const keep = (name: string, after: number, text: string) =>
  saved.keep("policy", name, after, withPolicy(text));

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "documents-"));
  store = await openStore(folder);
  saved = new SavedDocuments(store);
});
afterEach(async () => {
  await store.close();
  await rm(folder, { recursive: true });
});

test("versions count from 1 without gaps, keep their text to the byte, and outlive a start", async () => {
  const odd = policy.text.replace('"capacity": 16', '"capacity":   1.60e1');
  expect(odd).not.toBe(policy.text);
  expect(await keep("north", 0, policy.text)).toMatchObject({ kind: "kept", version: { version: 1 } });
  expect(await keep("north", 1, odd)).toMatchObject({ kind: "kept", version: { version: 2 } });
  await store.close();
  store = await openStore(folder);
  saved = new SavedDocuments(store);
  const [north] = await saved.list("policy");
  expect(north).toMatchObject({ name: "north", latest: { version: 2 } });
  expect((await saved.history(north!.id)).map(({ version }) => version)).toEqual([2, 1]);
  expect((await saved.text(north!.id))?.text).toBe(odd);
  expect((await saved.text(north!.id, 1))?.text).toBe(policy.text);
  expect(await saved.text(north!.id, 3)).toBeNull();
  expect(await saved.text("nobody")).toBeNull();
  expect(await saved.list("contract")).toEqual([]);
});

test("the same text again is no new version", async () => {
  await keep("north", 0, policy.text);
  expect(await keep("north", 1, policy.text)).toMatchObject({ kind: "same", version: { version: 1 } });
});

test("of two who edit the same version, the second is told and overwrites nothing", async () => {
  await keep("north", 0, policy.text);
  const [mine, theirs] = [policy.text.replace("16", "17"), policy.text.replace("16", "15")];
  expect(await keep("north", 1, theirs)).toMatchObject({ kind: "kept" });
  expect(await keep("north", 1, mine)).toMatchObject({ kind: "meanwhile", version: { version: 2 } });
  const [north] = await saved.list("policy");
  expect((await saved.text(north!.id))?.text).toBe(theirs);
  const both = await Promise.all([keep("north", 2, mine), keep("north", 2, `${mine}\n`)]);
  expect(both.map(({ kind }) => kind).sort()).toEqual(["kept", "meanwhile"]);
});

test("a broken document is refused with line and field, and nothing is kept", async () => {
  const broken = policy.text.replace('"capacity": 16', '"capacity": "16"');
  expect(await keep("north", 0, broken)).toMatchObject({
    kind: "refused",
    problems: [{ file: "p.json", line: 6, path: "tenants[0].capacity" }],
  });
  expect(await keep("north", 0, "{")).toMatchObject({ kind: "refused" });
  expect(await saved.list("policy")).toEqual([]);
});

test("a policy is judged by the contract beside it, and not at all beside a broken one", async () => {
  const other = { name: "c.json", text: contract.text.replace(/"name": "[^"]+"/, '"name": "elsewhere"') };
  const result = await saved.keep("policy", "north", 0, { contract: other, policy });
  expect(result).toMatchObject({ kind: "refused" });
  expect(JSON.stringify(result)).toContain("is no tier of the contract");
  const unjudged = await saved.keep("policy", "north", 0, {
    contract: { name: "c.json", text: "{}" },
    policy,
  });
  expect(unjudged).toMatchObject({ kind: "refused" });
  expect(await saved.list("policy")).toEqual([]);
});

test("names are data: a contract and a policy may share one, and no name is special", async () => {
  for (const name of ["__proto__", "=1+1", "🟥", "a".repeat(100)]) {
    expect(await saved.keep("contract", name, 0, { contract, policy })).toMatchObject({ kind: "kept" });
    expect(await keep(name, 0, policy.text)).toMatchObject({ kind: "kept", version: { version: 1 } });
  }
  for (const name of ["", "a\nb", "a".repeat(101), "\ud800"])
    expect(await keep(name, 0, policy.text)).toMatchObject({ kind: "refused", problems: [{ file: "name" }] });
  expect(await saved.list("policy")).toHaveLength(4);
});
