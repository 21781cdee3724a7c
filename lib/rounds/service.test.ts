import { createHash } from "node:crypto";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import type { RoundListItem } from "../../contract/round-view.ts";
import { FileProblem } from "../store/file-problem.ts";
import { openStore, type Store } from "../store/open-store.ts";
import { RoundsService } from "./service.ts";
import type { Submission } from "./submission.ts";
import { FALSE_GREEN_FAULTS, PROBLEM_FAULTS, scenarioDir } from "./trials/scenario.ts";

const SETTLED = new Set(["done", "refused", "failed", "cancelled"]);
const DAY_MS = 86_400_000;

let folder: string;
let store: Store;
let service: RoundsService;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "service-"));
  store = await openStore(folder);
  service = new RoundsService(store);
});
afterAll(async () => {
  await store.close();
  await rm(folder, { recursive: true });
});
afterEach(() => {
  vi.useRealTimers();
});

async function submission(changed: Partial<Submission> = {}): Promise<Submission> {
  const { contract, policy, stream } = await service.scenario();
  return {
    reading: "strict",
    faults: [],
    contract: { name: "my contract.json", text: contract },
    policy: { name: "my policy.json", text: policy },
    stream: { kind: "text", name: "my stream.jsonl", text: stream },
    ...changed,
  };
}
const streamOf = (text: string): Submission["stream"] => ({ kind: "text", name: "my stream.jsonl", text });

async function submitted(changed: Partial<Submission> = {}): Promise<string> {
  const result = await service.submit(await submission(changed));
  if (!result.ok) throw new Error(JSON.stringify(result.problems));
  return result.id;
}

/** The round once it `is` so. */
async function when(id: string, is: (round: RoundListItem) => boolean): Promise<RoundListItem> {
  for (const until = performance.now() + 45_000; performance.now() < until; ) {
    const round = await service.round(id);
    if (round !== null && is(round)) return round;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error(`round ${id} never came to be so: ${JSON.stringify(await service.round(id))}`);
}
const settled = (id: string) => when(id, ({ state }) => SETTLED.has(state));

const total = async () => (await service.list({ sort: "created", dir: "asc", limit: 1, offset: 0 })).total;

/** So many requests that a round over them can be met while it runs. */
const longStream = () =>
  streamOf(
    Array.from(
      { length: 100_000 },
      (_, at) => `{"req_id":"r-${at}","tenant":"t-beta","arrival_ms":${at},"cost":1,"mode":"soft"}\n`,
    ).join(""),
  );

describe("a round from its files to a finished one", () => {
  test("has the figures of the scenario, five signals that say well, and its files as they were given (§7)", async () => {
    const id = await submitted({ name: "  Tuesday  " });
    const { state, name, summary, problem, finished_at_ms } = await settled(id);
    expect({ state, name, problem }).toEqual({ state: "done", name: "Tuesday", problem: null });
    expect(finished_at_ms).not.toBeNull();
    const { clean } = JSON.parse(await readFile(join(scenarioDir(), "expected.json"), "utf8"));
    expect(summary).toMatchObject({
      counts: { accepted: 9, queued: 4, rejected: 4, reserve_breached: 1 },
      reference_counts: { accepted: 9, queued: 4, rejected: 4, reserve_breached: 1 },
      totals: { capacity: 38, used: 37, over_capacity: 0 },
      checksum: clean.checksum,
      reference_checksum: clean.checksum,
      exit_status: 0,
      requests: 17,
      truth: { status: 0, mismatches: 0 },
      probe: { result: "ok" },
      board: { false_green: false, disagree: false, true_mismatches: 0 },
    });
    expect(summary!.board.signals.map(({ claim }) => claim)).toEqual(Array(5).fill("well"));
    for (const kind of ["contract", "policy", "stream", "report"] as const) {
      const file = await service.file(id, kind);
      const digest = createHash("sha256")
        .update(await readFile(file!.path))
        .digest("hex");
      expect(file!.path.endsWith(digest)).toBe(true);
    }
    const { contract, policy, stream, report } = (await service.inputs(id))!;
    const given = await service.scenario();
    expect([contract.name, policy.name, stream.name]).toEqual([
      "my contract.json",
      "my policy.json",
      "my stream.jsonl",
    ]);
    expect([contract.text, policy.text]).toEqual([given.contract, given.policy]);
    expect(stream.bytes).toBe(Buffer.byteLength(given.stream));
    const written = JSON.parse(await readFile((await service.file(id, "report"))!.path, "utf8"));
    expect(written.input).toMatchObject({
      contract_sha256: contract.sha256,
      policy_sha256: policy.sha256,
      stream_sha256: stream.sha256,
    });
    expect(report).not.toBeNull();
    const view = (await service.view(id))!;
    const whole = { limit: 100, offset: 0 };
    expect((await view.decisions({ ...whole, sort: "file", dir: "asc" })).total).toBe(17);
  });

  test("the problem state with faults of signals is a false green, and names who lies (§5.5, §7)", async () => {
    const id = await submitted({ faults: [...PROBLEM_FAULTS, ...FALSE_GREEN_FAULTS] });
    const { summary } = await settled(id);
    expect(summary).toMatchObject({
      counts: { accepted: 7, queued: 5, rejected: 5, reserve_breached: 0 },
      reference_counts: { accepted: 9, queued: 4, rejected: 4, reserve_breached: 1 },
      totals: { capacity: 48, used: 27, over_capacity: 0 },
      ok: true,
      exit_status: 0,
      health: { status: 0, checks: 0 },
      truth: { status: 2 },
      board: { false_green: true, disagree: true },
    });
    const liars = summary!.board.signals.filter(({ lies }) => lies).map(({ name }) => name);
    expect(liars).toEqual(["report", "exit", "health"]);
    const listed = await service.list({
      false_green: true,
      sort: "created",
      dir: "asc",
      limit: 10,
      offset: 0,
    });
    expect(listed.rows.map((row) => row.id)).toEqual([id]);
  });

  test("an empty stream is a round of no requests, and no error", async () => {
    const { state, summary } = await settled(await submitted({ stream: streamOf("") }));
    expect({ state, requests: summary?.requests, span: summary?.span_ms }).toEqual({
      state: "done",
      requests: 0,
      span: 0,
    });
    expect(summary!.truth.status).toBe(0);
  });

  test("without a name a round goes by its stream's", async () => {
    expect((await service.round(await submitted({ name: "  " })))?.name).toBe("my stream.jsonl");
  });

  test("odd names travel whole: into the list, and out of it", async () => {
    const name = "__proto__ 🟥 </script> ' OR 1=1";
    const id = await submitted({ name });
    expect((await settled(id)).name).toBe(name);
    const found = await service.list({ search: "🟥 </", sort: "name", dir: "desc", limit: 10, offset: 0 });
    expect(found.rows.map((row) => row.id)).toEqual([id]);
  });
});

describe("a stream that strict reading refuses", () => {
  test("ends as refused, with line and field, under the name that the user gave it; no report, no view", async () => {
    const { stream } = await service.scenario();
    const bad = streamOf(`${stream}not json\n{"req_id":"x"}\n`);
    const id = await submitted({ stream: bad });
    const { state, problem, summary } = await settled(id);
    expect({ state, summary }).toEqual({ state: "refused", summary: null });
    expect(problem).toMatchObject({ status: 2, line_count: 2, lines: [{ line: 18 }, { line: 19 }] });
    expect(problem!.message).toContain("my stream.jsonl");
    expect(problem!.message).not.toContain(folder);
    expect(await service.view(id)).toBeNull();
    expect(await service.file(id, "report")).toBeNull();
    expect((await service.inputs(id))!.report).toBeNull();
    const lenient = await settled(await submitted({ stream: bad, reading: "lenient" }));
    expect(lenient.summary).toMatchObject({
      exit_status: 2,
      skipped: { count: 2 },
      truth: { mismatches: 0 },
    });
    expect(lenient.summary!.board.false_green).toBe(false);
  });
});

describe("what is no round is told at once, with file, line and field, and nothing is kept", () => {
  test.each([
    [
      "a contract that is no JSON",
      { contract: { name: "c.json", text: '{\n"version": 1,\n' } },
      "c.json",
      "",
    ],
    ["a contract of the wrong shape", { contract: { name: "c.json", text: "{}" } }, "c.json", "epoch_ms"],
    ["an empty contract", { contract: { name: "c.json", text: "" } }, "c.json", ""],
    [
      "a policy of the wrong shape",
      { policy: { name: "p.json", text: '{"tenants":[]}' } },
      "p.json",
      "tenants",
    ],
    ["binary as a policy", { policy: { name: "p.json", text: "\u0000\u0001PK" } }, "p.json", ""],
    ["an unknown fault", { faults: ["no-such-fault"] }, "faults", ""],
  ])("%s", async (_, changed, file, path) => {
    const before = { total: await total(), files: (await readdir(join(folder, "artifacts"))).length };
    const result = await service.submit(await submission(changed));
    if (result.ok) throw new Error("it was taken");
    expect(result.problems).toContainEqual(
      expect.objectContaining({ file, path, message: expect.stringMatching(/./) }),
    );
    expect({ total: await total(), files: (await readdir(join(folder, "artifacts"))).length }).toEqual(
      before,
    );
  });

  test("the line of a JSON error is told", async () => {
    const contract = { name: "c.json", text: '{\n"version": 1,\n"epoch_ms": x\n}' };
    expect(await service.submit(await submission({ contract }))).toMatchObject({
      ok: false,
      problems: [{ file: "c.json", line: 3 }],
    });
  });

  test("every problem of a policy is told, not the first alone", async () => {
    const { policy } = await service.scenario();
    const text = policy.replace('"capacity": 16', '"capacity": "16"').replace('"t-beta"', '""');
    const result = await service.submit(await submission({ policy: { name: "p.json", text } }));
    if (result.ok) throw new Error("it was taken");
    const paths = result.problems.map(({ path }) => path);
    expect(paths).toContain("tenants[0].capacity");
    expect(paths).toContain("tenants[1].tenant");
  });
});

describe("cancelling", () => {
  test("a round that runs ends at once, leaves nothing behind, and the next one runs", async () => {
    const id = await submitted({ stream: longStream() });
    const next = await submitted();
    await when(id, ({ progress }) => progress !== null);
    expect(await service.cancel(id)).toBe(true);
    const { state, summary, finished_at_ms } = await settled(id);
    expect({ state, summary }).toEqual({ state: "cancelled", summary: null });
    expect(finished_at_ms).not.toBeNull();
    expect(await service.file(id, "report")).toBeNull();
    expect((await settled(next)).state).toBe("done");
    expect((await service.round(id))?.state).toBe("cancelled");
    expect(await readdir(join(folder, "staging"))).not.toContain(id);
  });

  test("a round that waits is never run: the queue passes it by", async () => {
    const running = await submitted({ stream: longStream() });
    const waiting = await submitted();
    const last = await submitted();
    expect((await service.round(waiting))?.state).toBe("waiting");
    expect(await service.cancel(waiting)).toBe(true);
    expect((await service.round(waiting))?.state).toBe("cancelled");
    await service.cancel(running);
    expect((await settled(last)).state).toBe("done");
    expect((await service.round(waiting))?.state).toBe("cancelled");
    expect(await service.file(waiting, "report")).toBeNull();
  });

  test("a round that was just submitted is cancelled, whatever it had begun", async () => {
    const ids = [];
    for (let delay_ms = 0; delay_ms < 8; delay_ms++) {
      const id = await submitted();
      if (delay_ms > 0) await new Promise((resolve) => setTimeout(resolve, delay_ms));
      expect(await service.cancel(id)).toBe(true);
      ids.push(id);
    }
    expect((await settled(await submitted())).state).toBe("done");
    const states = await Promise.all(ids.map(async (id) => (await service.round(id))?.state));
    expect(states).toEqual(ids.map(() => "cancelled"));
  });

  test("what is over, or never was, is not cancelled", async () => {
    const id = await submitted();
    await settled(id);
    expect(await service.cancel(id)).toBe(false);
    expect(await service.cancel("no such round")).toBe(false);
    expect((await service.round(id))?.state).toBe("done");
  });
});

describe("links", () => {
  const shareOf = async (id: string, life_ms: number | null) => (await service.share(id, life_ms))!;
  let id: string;
  beforeAll(async () => {
    id = await submitted();
    await settled(id);
  });

  test("a link leads to its round until it is revoked; others go on", async () => {
    const [first, second] = [await shareOf(id, null), await shareOf(id, null)];
    expect(first.token).not.toBe(second.token);
    expect(first.token.length).toBeGreaterThanOrEqual(43);
    expect((await service.shared(first.token))?.round.id).toBe(id);
    expect(await service.revoke(first.share.id)).toBe(true);
    expect(await service.revoke(first.share.id)).toBe(false);
    expect(await service.shared(first.token)).toBeNull();
    expect((await service.shared(second.token))?.round.id).toBe(id);
    const listed = (await service.shares(id)).find((share) => share.id === first.share.id);
    expect(listed?.revoked_at_ms).toEqual(expect.any(Number));
  });

  test("a link ends with its time, to the millisecond", async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: 1_800_000_000_000 });
    const { token, share } = await shareOf(id, DAY_MS);
    expect(share.expires_at_ms).toBe(1_800_000_000_000 + DAY_MS);
    vi.setSystemTime(share.expires_at_ms! - 1);
    expect((await service.shared(token, true))?.round.id).toBe(id);
    vi.setSystemTime(share.expires_at_ms!);
    expect(await service.shared(token, true)).toBeNull();
    expect((await service.shares(id)).find((known) => known.id === share.id)?.opened_count).toBe(1);
  });

  test("only an opening that counts is counted", async () => {
    const { token, share } = await shareOf(id, null);
    await service.shared(token);
    await service.shared(token, true);
    await service.shared(token, true);
    const known = (await service.shares(id)).find((row) => row.id === share.id);
    expect(known).toMatchObject({ opened_count: 2, last_opened_at_ms: expect.any(Number) });
  });

  test.each(["", "no such token", "' OR 1=1", "%", "x".repeat(10_000)])("%j leads nowhere", async (token) => {
    expect(await service.shared(token, true)).toBeNull();
  });

  test("neither what is shown of a link nor the data directory holds what opens it", async () => {
    const { token, share } = await shareOf(id, null);
    const shown = JSON.stringify([share, await service.shares(id)]);
    expect(shown).not.toContain(token);
    expect(shown).not.toContain(createHash("sha256").update(token).digest("hex"));
    for (const name of await readdir(folder))
      if (name.startsWith("tenantthrottle.sqlite"))
        expect((await readFile(join(folder, name))).includes(token)).toBe(false);
  });

  test.each([0, -1, Number.NaN, Number.POSITIVE_INFINITY, 367 * DAY_MS])(
    "a life of %d ms makes no link",
    async (life) => {
      const before = (await service.shares(id)).length;
      expect(await service.share(id, life)).toBeNull();
      expect((await service.shares(id)).length).toBe(before);
    },
  );

  test("a round that is not there has no link; one that is removed takes its links along", async () => {
    expect(await service.share("no such round", null)).toBeNull();
    const gone = await submitted();
    await settled(gone);
    const { token } = await shareOf(gone, null);
    expect((await service.removed.remove([gone]))?.count).toBe(1);
    expect(await service.removed.remove([gone])).toBeNull();
    expect(await service.shared(token)).toBeNull();
    expect(await service.round(gone)).toBeNull();
  });
});

test("inputs that the disk does not take are told as a problem, and nothing of them is kept", async () => {
  const told = vi.spyOn(console, "error").mockImplementation(() => {});
  const files = async () =>
    (await readdir(store.artifacts.folder, { recursive: true }))
      .filter((path) => path.includes("/"))
      .toSorted();
  const stream = streamOf(`${(await service.scenario()).stream}\n\n`);
  const before = await files();
  const full = Object.assign(new Error("database or disk is full"), { code: "SQLITE_FULL" });
  const failing = [
    vi.spyOn(store.rounds, "insert").mockRejectedValueOnce(full),
    vi.spyOn(store.artifacts, "put").mockRejectedValueOnce(new FileProblem("x", "there is no space left")),
  ];
  const message = "could not be stored: there is no space left";
  const refused = { ok: false, problems: [{ file: stream.name, path: "", message }] };
  // The first is met before anything is stored, the second after everything was.
  for (const _ of failing) expect(await service.submit(await submission({ stream }))).toEqual(refused);
  expect(await files()).toEqual(before);
  for (const spy of failing) spy.mockRestore();
  told.mockRestore();
});

describe("removing", () => {
  test("leaves the files that another round has too, also after the next start", async () => {
    const [kept, gone] = [await submitted(), await submitted()];
    await settled(gone);
    await service.removed.remove([gone]);
    await store.close();
    store = await openStore(folder);
    service = new RoundsService(store);
    for (const kind of ["contract", "policy", "stream", "report"] as const)
      await expect(readFile((await service.file(kept, kind))!.path)).resolves.not.toHaveLength(0);
    const view = (await service.view(kept))!;
    expect((await view.tenants({ limit: 9, offset: 0, sort: "name" })).total).toBe(3);
  });

  test("a round that runs can be removed, and the next one runs", async () => {
    const gone = await submitted({ stream: longStream() });
    await when(gone, ({ progress }) => progress !== null);
    expect((await service.removed.remove([gone]))?.count).toBe(1);
    expect((await settled(await submitted())).state).toBe("done");
    expect(await service.round(gone)).toBeNull();
  });
});

test("a page of the list is a part of the whole, in order, with the whole's count", async () => {
  const query = { sort: "created", dir: "asc", limit: 100, offset: 0 } as const;
  const { rows, total } = await service.list(query);
  expect(rows.length).toBe(total);
  expect(total).toBeGreaterThan(5);
  const page = await service.list({ ...query, limit: 2, offset: 3 });
  expect(page).toEqual({ rows: rows.slice(3, 5), total });
  const reversed = await service.list({ ...query, dir: "desc" });
  expect(reversed.rows.map(({ id }) => id)).toEqual(rows.map(({ id }) => id).toReversed());
});
