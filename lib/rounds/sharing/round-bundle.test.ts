import { mkdtemp, rm, stat, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { unzipSync, zipSync } from "fflate/browser";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { main } from "../../cli/main.ts";
import { recheckSource } from "../../recheck/recheck-source.ts";
import { openStore, type Store } from "../../store/open-store.ts";
import { RoundsService } from "../service.ts";
import { nodeSha256 } from "../sha256.ts";

let folder: string;
let store: Store;
let service: RoundsService;
/** Bundles of the two rounds of the scenario. */
const bundles = new Map<string, Uint8Array>();
const ids = new Map<string, string>();

async function collected(chunks: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const all: Uint8Array[] = [];
  for await (const chunk of chunks) all.push(chunk);
  return Buffer.concat(all);
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "throttle-bundle-"));
  store = await openStore(join(folder, "data"));
  service = new RoundsService(store);
  await service.seed();
  await vi.waitFor(
    async () => {
      const { rows } = await service.list({ sort: "created", dir: "asc", limit: 10, offset: 0 });
      expect(rows.map(({ state }) => state)).toEqual(["done", "done"]);
      for (const { id, name } of rows) ids.set(name.endsWith("clean") ? "clean" : "problem", id);
    },
    { timeout: 60_000, interval: 200 },
  );
  for (const [name, id] of ids) bundles.set(name, await collected((await service.bundle(id))!.chunks));
}, 90_000);

afterAll(async () => {
  await store.close();
  await rm(folder, { recursive: true });
});

const blobOf = (bytes: Uint8Array) => new Blob([Uint8Array.from(bytes)]);
const rechecked = async (bytes: Uint8Array) =>
  (await recheckSource({ kind: "bundle", bundle: blobOf(bytes) }, nodeSha256)).recheck;

/** The bundle of the clean round with one entry's text changed; its digest is as it was. */
function changed(entry: string, change: (text: string) => string): Uint8Array {
  const entries = unzipSync(bundles.get("clean")!);
  const text = new TextDecoder().decode(entries[entry]);
  expect(change(text)).not.toBe(text);
  const manifest = new TextDecoder().decode(entries["manifest.json"]);
  const bytes = new TextEncoder().encode(change(text));
  const before = `"bytes": ${entries[entry]!.length}`;
  expect(manifest).toContain(before);
  return zipSync({
    ...entries,
    "manifest.json": new TextEncoder().encode(manifest.replace(before, `"bytes": ${bytes.length}`)),
    [entry]: bytes,
  });
}

/** Status and output of the command line over a bundle on disk. */
async function probed(bytes: Uint8Array): Promise<{ status: number; output: string }> {
  const path = join(folder, "some.bundle.zip");
  await writeFile(path, bytes);
  const log = vi.spyOn(console, "log").mockImplementation(() => {});
  vi.spyOn(console, "error").mockImplementation(() => {});
  const status = await main(["probe", path]);
  const output = log.mock.calls.flat().join("\n");
  vi.restoreAllMocks();
  return { status, output };
}

describe("the bundle of a round", () => {
  test("has the same bytes each time", async () => {
    const again = await collected((await service.bundle(ids.get("clean")!))!.chunks);
    expect(Buffer.compare(again, bundles.get("clean")!)).toBe(0);
  });

  test("of the clean round agrees in every field, and the command line exits 0", async () => {
    const found = await rechecked(bundles.get("clean")!);
    expect(found).toMatchObject({ outcome: "agrees", requests: 17, differences: [] });
    expect(await probed(bundles.get("clean")!)).toMatchObject({ status: 0 });
  });

  test("of the problem state shows the very differences of health, at their positions, whatever the service claims", async () => {
    const found = await rechecked(bundles.get("problem")!);
    if (found.outcome === "unjudged") throw new Error(found.message);
    const view = (await service.view(ids.get("problem")!))!;
    const stored = await view.places({
      result: "open",
      subject: "",
      place: "",
      limit: 500,
      offset: 0,
    } as never);
    expect(found.outcome).toBe("differs");
    // The page shows the worst of a section first; a recheck tells them in the order of the table.
    expect(found.differences).toEqual(stored.rows.toSorted((a, b) => a.position - b.position));
    expect(found.differences).toHaveLength(stored.total);
    const { summary } = (await service.round(ids.get("problem")!))!;
    expect(found.found).toEqual(summary!.truth);
    expect(summary!.health).toMatchObject({ status: 0, checks: 0 });
    const { status, output } = await probed(bundles.get("problem")!);
    expect(status).toBe(2);
    expect(output).toContain("counts.accepted: mismatch, reported 7, expected 9 (§3.4)");
  });

  test("exposes a report that was changed in one digit in transit, by its digest and by the field", async () => {
    const bytes = changed("report.json", (text) =>
      text.replace(/"wait_ms":\s*550/, (all) => all.replace("550", "551")),
    );
    const found = await rechecked(bytes);
    if (found.outcome === "unjudged") throw new Error(found.message);
    expect(found.outcome).toBe("differs");
    expect(found.digests.filter(({ claimed, found: actual }) => claimed !== actual)).toMatchObject([
      { file: "report" },
    ]);
    expect(found.differences).toContainEqual(
      expect.objectContaining({
        check: "decisions.wait_ms",
        subject: "req-0013",
        reported: "551",
        expected: "550",
        noise: expect.stringContaining("rounded up 551; exactly, with a balance of 3.8, it is 550."),
      }),
    );
    expect((await probed(bytes)).status).toBe(2);
  });

  test("exposes a file that is another only by its digest", async () => {
    const bytes = changed("report.json", (text) => `${text} `);
    const found = await rechecked(bytes);
    expect(found).toMatchObject({ outcome: "differs", found: { mismatches: 0, indeterminate: 0 } });
    expect((await probed(bytes)).output).toContain("report: its SHA-256 is");
  });

  test("exposes inputs that are not those of the report", async () => {
    const bytes = changed("stream.jsonl", (text) => text.replace('"cost": 2', '"cost": 3'));
    const found = await rechecked(bytes);
    if (found.outcome === "unjudged") throw new Error(found.message);
    expect(found.differences.map(({ path }) => path)).toContain("input.stream_sha256");
  });

  test("whose contract, stream or report cannot be read cannot be judged, with the status of what is missing", async () => {
    const contract = changed("contract.json", (text) => text.replace('"grace_ms"', '"grace"'));
    expect(await rechecked(contract)).toMatchObject({ outcome: "unjudged", status: 3 });
    expect((await probed(contract)).status).toBe(3);
    for (const entry of ["stream.jsonl", "report.json"]) {
      const bytes = changed(entry, (text) => text.slice(0, -5));
      expect(await rechecked(bytes)).toMatchObject({ outcome: "unjudged", status: 2 });
      expect((await probed(bytes)).status).toBe(2);
    }
  });

  test("that is none cannot be judged", async () => {
    expect(await probed(new TextEncoder().encode("no archive"))).toMatchObject({
      status: 2,
      output: expect.stringContaining("RESULT: UNJUDGED (the bundle is no whole ZIP archive"),
    });
    expect(await main(["probe", join(folder, "nowhere.zip")])).toBe(2);
    expect(await main(["probe", folder])).toBe(2);
  });
});

test("of a round whose report no reader would open no bundle is made, and that is known before", async () => {
  const id = ids.get("clean")!;
  expect(await service.isBundleTooLarge(id)).toBe(false);
  const { path } = (await service.file(id, "report"))!;
  const { size } = await stat(path);
  // A file with a hole: it takes no room.
  await truncate(path, 512 * 1024 * 1024);
  expect(await service.isBundleTooLarge(id)).toBe(false);
  await truncate(path, 512 * 1024 * 1024 + 1);
  expect(await service.isBundleTooLarge(id)).toBe(true);
  expect(await service.bundle(id)).toBeNull();
  await truncate(path, size);
  expect(await service.isBundleTooLarge("no-such")).toBe(false);
});
