import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync, zstdCompressSync } from "node:zlib";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { TrialFolder } from "../rounds/trials/trial-folder.ts";
import { main } from "./main.ts";

let out: string[] = [];
let said: string[] = [];
beforeEach(() => {
  out = [];
  said = [];
  vi.spyOn(console, "log").mockImplementation((line) => void out.push(String(line)));
  vi.spyOn(console, "error").mockImplementation((line) => void said.push(String(line)));
  vi.spyOn(process.stdout, "write").mockImplementation(() => true);
  vi.spyOn(process.stderr, "write").mockImplementation(() => true);
});
afterEach(() => vi.restoreAllMocks());

const told = () => said.join("\n");
const line = () => JSON.parse(out.at(-1) ?? "null");
const entry = (second: string, rest = "") =>
  `192.0.2.1 - - [25/Oct/2026:10:00:${second} +0000] "GET / HTTP/1.1" 200 1${rest}\n`;
const LOG = entry("03") + entry("01", ' "-" "-"') + entry("02");

/** Runs a test with a folder in which a log lies. */
const withLog = (content: string | Uint8Array, use: (log: string, path: string) => Promise<void>) =>
  TrialFolder.use(async ({ path }) => {
    const log = join(path, "some.log");
    await writeFile(log, content);
    await use(log, path);
  });

const exists = (path: string) =>
  stat(path).then(
    () => true,
    () => false,
  );

test.each([
  ["plain", LOG],
  ["gzip", gzipSync(LOG)],
  ["zstd", zstdCompressSync(LOG)],
])("a log becomes the canonical stream from its earliest request on: %s", (_, content) =>
  withLog(content, async (log, path) => {
    const stream = join(path, "stream.jsonl");
    expect(await main(["import", log, "--out", stream])).toBe(0);
    expect(line()).toMatchObject({ ok: true, lines: 3, requests: 3, problem_count: 0, out_of_order: 2 });
    const requests = (await readFile(stream, "utf8"))
      .trim()
      .split("\n")
      .map((text) => JSON.parse(text));
    expect(requests.map(({ req_id, arrival_ms }) => [req_id, arrival_ms])).toEqual([
      ["line-1", 2000],
      ["line-2", 0],
      ["line-3", 1000],
    ]);
    expect(await exists(`${stream}.spool`)).toBe(false);
  }),
);

test("strict reading refuses and writes nothing; lenient keeps the place of each bad line, and is never clean", () =>
  withLog(`${LOG}junk\n`, async (log, path) => {
    const stream = join(path, "stream.jsonl");
    expect(await main(["import", log, "--out", stream])).toBe(2);
    expect(line()).toMatchObject({
      ok: false,
      requests: 3,
      problem_count: 1,
      problems: [{ line: 4, text: "junk" }],
    });
    expect(await exists(stream)).toBe(false);
    expect(await main(["import", log, "--out", stream, "--lenient"])).toBe(2);
    expect((await readFile(stream, "utf8")).split("\n")[3]).toMatch(/^"not imported: /);
    const files = ["--input", stream, "--report", join(path, "report.json")];
    expect(await main(["run", ...files])).toBe(2);
    expect(await main(["run", ...files, "--lenient"])).toBe(2);
    expect(line()).toMatchObject({ status: 2, mismatches: 0 });
  }));

test("run takes a log as it is, and health judges the stream that it left", () =>
  withLog(LOG, async (log, path) => {
    const report = join(path, "report.json");
    expect(await main(["run", "--input", log, "--report", report])).toBe(0);
    expect(line()).toMatchObject({ ok: true, counts: { rejected: 3 } });
    expect(told()).toMatch(
      /3 of 3 requests rejected as unknown_tenant: .*policy\.json does not name their tenant/,
    );
    const stream = join(path, "some.log.requests.jsonl");
    expect(await main(["health", "--input", stream, "--report", report])).toBe(0);
  }));

test("health and probe take a log as it is too, and leave nothing behind", () =>
  withLog(LOG, async (log, path) => {
    const files = ["--input", log, "--report", join(path, "report.json")];
    expect(await main(["run", ...files])).toBe(0);
    const before = await readdir(path);
    expect(await main(["health", ...files])).toBe(0);
    expect(line()).toMatchObject({ degraded: false, status: 0 });
    expect(await main(["probe", ...files])).toBe(0);
    expect(out.at(-1)).toBe("RESULT: OK");
    expect(await readdir(path)).toEqual(before);
  }));

test("a log that is refused or has no mapping cannot be judged, by health and probe alike", () =>
  withLog(`${LOG}junk\n`, async (log, path) => {
    const files = ["--input", log, "--report", join(path, "report.json")];
    expect(await main(["run", ...files, "--lenient"])).toBe(2);
    expect(await main(["health", ...files])).toBe(2);
    expect(line()).toMatchObject({ degraded: true, checks: 0 });
    expect(line().unavailable).toContain("1 bad line");
    expect(await main(["probe", ...files])).toBe(3);
    expect(out.at(-1)).toMatch(/^RESULT: UNJUDGED \(Stream refused: 1 bad line/);
    expect(await main(["health", ...files, "--format", "nonsense"])).toBe(3);
    // Lenient, and the reference agrees: not clean all the same (§5.4).
    expect(await main(["health", ...files, "--lenient"])).toBe(2);
    expect(line()).toMatchObject({ issues: [] });
  }));

test.each([
  ["one bad line", '{"req_id":"a","tenant":"t","arrival_ms":0,"cost":1,"mode":"gentle"}\n', "line 1, mode"],
  [
    "ids that are numbers",
    '{"req_id":1,"tenant":"t","arrival_ms":0,"cost":1,"mode":"soft"}\n'.repeat(3),
    "line 3",
  ],
  ["fields that are missing", '{"req_id":"a","arrival_ms":0,"cost":1}\n', "line 1, tenant"],
  ["an empty object", "{}\n", "line 1, req_id"],
])(
  "a canonical stream that is bad throughout is no log, but refused with its lines: %s",
  (_, content, said) =>
    withLog(content, async (stream, path) => {
      const files = ["--input", stream, "--report", join(path, "report.json")];
      expect(await main(["run", ...files])).toBe(2);
      expect(line().error).toContain("Stream refused");
      expect(told()).toContain(said);
    }),
);

test.each([
  ["what is no text", Buffer.from([0x80, 0x81, 0xc3, 0x28]), [], 2, "is no text"],
  ["what is no log", "one, two\nthree\n", [], 2, "is no access log"],
  ["a cut archive", gzipSync(LOG.repeat(50)).subarray(0, 80), [], 2, "is cut off"],
  ["a log without a zone", "time,user\n2026-10-25 10:00:00,a\n", [], 3, "State which field is the arrival"],
  ["a format that is none", LOG, ["--format", "nonsense"], 3, "nonsense is none"],
  ["a log of another format", LOG, ["--format", "caddy"], 2, "is no access log"],
  ["a mapping that is not there", LOG, ["--map", "/nonexistent"], 3, "there is no such file"],
])("%s: says so", (_, content, more, status, reason) =>
  withLog(content, async (log, path) => {
    const stream = join(path, "stream.jsonl");
    expect(await main(["import", log, "--out", stream, ...more])).toBe(status);
    expect(line().error).toContain(reason);
    expect(await exists(stream)).toBe(false);
  }),
);

test("a stretch of time is cut out: lines outside are problems that say so, and the equation holds", () =>
  withLog(LOG, async (log, path) => {
    const stream = join(path, "stream.jsonl");
    const cut = ["--from", "2026-10-25T10:00:02Z", "--to", "2026-10-25T12:00:03+02:00"];
    expect(await main(["import", log, "--out", stream, ...cut])).toBe(2);
    expect(line()).toMatchObject({ ok: false, lines: 3, requests: 1, problem_count: 2, other_lines: 0 });
    expect(
      line().problems.map(({ line, field, reason }: Record<string, unknown>) => [line, field, reason]),
    ).toEqual([
      [
        1,
        "arrival",
        expect.stringMatching(/^2026-10-25T10:00:03\S* is outside the stretch from \S*:02\S* to \S*:03/),
      ],
      [2, "arrival", expect.stringMatching(/^2026-10-25T10:00:01\S* is outside the stretch/)],
    ]);
    expect(await main(["import", log, "--out", stream, "--lenient", ...cut])).toBe(2);
    expect((await readFile(stream, "utf8")).split("\n")[2]).toContain('"arrival_ms":0');
    expect(await main(["run", "--input", log, "--report", join(path, "r.json"), "--lenient", ...cut])).toBe(
      2,
    );
    expect(line()).toMatchObject({ counts: { rejected: 1 }, status: 2, mismatches: 0 });
    expect(await main(["import", log, "--out", stream, "--from", "2026-10-25T10:00:00Z"])).toBe(0);
    for (const [from, to, said] of [
      ["yesterday", undefined, "arrival.from: is no time of ISO 8601"],
      ["2026-10-25T10:00:00", undefined, "arrival.from: has no zone"],
      ["2026-10-25T10:00:00Z", "2026-10-25T10:00:00Z", "arrival.to: is no later"],
    ] as const) {
      const options = ["--from", from, ...(to === undefined ? [] : ["--to", to])];
      expect(await main(["import", log, "--out", stream, ...options])).toBe(3);
      expect(line().error).toContain(said);
    }
    expect(await main(["run", "--report", join(path, "r.json"), "--from", "2026-10-25T10:00:00Z"])).toBe(3);
    expect(line().error).toContain("tells no moments");
  }));

test("a log longer than a round may be names both moments, the earliest one's line, and what to do", () =>
  withLog(LOG + entry("05").replace("2026", "2025") + entry("07"), async (log, path) => {
    const stream = join(path, "stream.jsonl");
    expect(await main(["import", log, "--out", stream])).toBe(0);
    await writeFile(log, LOG + entry("05").replace("2026", "2024"));
    expect(await main(["import", log, "--out", stream])).toBe(2);
    expect(line()).toMatchObject({ lines: 4, requests: 1, problem_count: 3 });
    expect(line().problems[0].reason).toMatch(
      /^2026-10-25T10:00:03\S* is more than 366 days after the earliest arrival, 2024-10-25T10:00:05\S* in line 4, and no round is longer/,
    );
    expect(line().spread).toMatchObject({ line: 4, beyond: 3 });
    expect(line().spread.stretch).toEqual({ from: "2026-10-25T10:00:01Z", requests: 3 });
    expect(told()).toMatch(
      /the earliest arrival is 2024-10-25T10:00:05\S* in line 4; 3 requests lie more than 366 days after it/,
    );
    expect(told()).toContain("begin with: --from 2026-10-25T10:00:01Z --lenient");
    expect(told()).toContain("4 lines = 1 request + 3 problems + 0 that hold no request");
    expect(await main(["import", log, "--out", stream, "--lenient", "--from", "2026-10-25T10:00:01Z"])).toBe(
      2,
    );
    expect(line()).toMatchObject({ requests: 3, problem_count: 1 });
  }));

test("a mapping is judged with the line and path of each problem", () =>
  withLog(LOG, async (log, path) => {
    const map = join(path, "map.json");
    const mapping = {
      version: 1,
      format: { id: "combined" },
      tenant: { by: "capture", field: "path", expression: "(?=x)" },
      arrival: { field: "time_local", unit: "clf", zone: "Nowhere" },
      cost: { by: "constant", cost: 1 },
      mode: { by: "constant", mode: "hard" },
      req_id: { by: "line" },
    };
    await writeFile(map, JSON.stringify(mapping, null, 1));
    expect(await main(["import", log, "--out", join(path, "s"), "--map", map])).toBe(3);
    expect(line().error).toMatch(
      /map\.json, line 9, tenant\.expression: .*RE2.*; .*line 14, arrival\.zone: /,
    );
  }));

test("a packed canonical stream is unpacked byte for byte", () => {
  const stream = '{"req_id":"a","tenant":"t","arrival_ms":5,"cost":1,"mode":"soft"}\r\n\n';
  return withLog(zstdCompressSync(stream), async (log, path) => {
    const unpacked = join(path, "stream.jsonl");
    expect(await main(["import", log, "--out", unpacked])).toBe(0);
    expect(await readFile(unpacked, "utf8")).toBe(stream);
    expect(line()).toMatchObject({ lines: 2, requests: 1, other_lines: 1, packing: "zstd" });
  });
});

test("the folder of a stream is made as that of a report is; where it cannot be, the stream is named", () =>
  withLog(LOG, async (log, path) => {
    expect(await main(["import", log, "--out", join(path, "new", "folder", "s.jsonl")])).toBe(0);
    const below = join(log, "s.jsonl");
    expect(await main(["import", log, "--out", below])).toBe(2);
    expect(line().error).toBe(`Stream unavailable: ${below}: a part of its path is no directory`);
  }));

test("what is not there, or has no name, is refused in words", async () => {
  expect(await main(["audit-gate", "/nonexistent/log"])).toBe(3);
  expect(told()).toContain("throttle: /nonexistent/log: there is no such file");
  expect(await main(["gate-key", " "])).toBe(3);
  expect(await main(["conform-gate", "contract/gate-cases", "--redis", "redis://:secret@127.0.0.1:1"])).toBe(
    3,
  );
  expect(told()).toContain("the shared store 127.0.0.1:1 cannot be reached");
  expect(told()).not.toContain("secret");
});

test("fields that a mapping lacks are told as missing", () =>
  withLog(LOG, async (log, path) => {
    const map = join(path, "map.json");
    await writeFile(map, JSON.stringify({ version: 1, format: { id: "combined" } }));
    expect(await main(["import", log, "--out", join(path, "s"), "--map", map])).toBe(3);
    expect(line().error).toContain("arrival: is missing; expected object");
    expect(line().error).not.toContain("Invalid input");
  }));

test.each(["reads", "writes"])("an import that is ended while it %s leaves nothing behind", (doing) =>
  withLog(LOG.repeat(100_000), async (log, path) => {
    const folder = join(path, "out");
    await mkdir(folder);
    const args = ["bin/throttle.js", "import", log, "--out", join(folder, "s.jsonl")];
    const child = spawn(process.execPath, args, { stdio: "ignore" });
    const ended = once(child, "exit");
    // What is read waits in a file without a name; what is written has a temporary one from when all was read.
    const isWritten = async () => (await readdir(folder)).some((name) => name.startsWith(".writing-"));
    if (doing === "writes")
      await vi.waitFor(async () => expect(await isWritten()).toBe(true), { timeout: 30_000, interval: 2 });
    else await new Promise((resolve) => setTimeout(resolve, 800));
    child.kill("SIGTERM");
    expect(await ended).toEqual([null, "SIGTERM"]);
    expect(await readdir(folder)).toEqual([]);
  }),
);

test("what a log was read as is told: tenant, arrival and its unit", () =>
  withLog(LOG, async (log, path) => {
    expect(await main(["import", log, "--out", join(path, "s.jsonl")])).toBe(0);
    expect(told()).toContain("tenant: remote_addr, by address; arrival: time_local, in clf");
  }));

test("an archive of another kind that is said to be a stream is refused by its name", () =>
  withLog(Buffer.from("PK\x03\x04 and so on"), async (log, path) => {
    expect(await main(["import", log, "--out", join(path, "s.jsonl"), "--format", "canonical"])).toBe(2);
    expect(line().error).toContain("is a ZIP archive");
  }));

test("a line of a packed stream may be as long as one of a plain stream", () => {
  const request = '{"req_id":"a","tenant":"t","arrival_ms":5,"cost":1,"mode":"soft"}';
  const stream = `${request}${" ".repeat(3 * 1024 * 1024)}\n${request.replace('"a"', '"b"')}\n`;
  return withLog(gzipSync(stream), async (log, path) => {
    const unpacked = join(path, "stream.jsonl");
    expect(await main(["import", log, "--out", unpacked])).toBe(0);
    expect(line()).toMatchObject({ lines: 2, requests: 2, problem_count: 0 });
    expect((await readFile(unpacked, "utf8")) === stream).toBe(true);
  });
});
