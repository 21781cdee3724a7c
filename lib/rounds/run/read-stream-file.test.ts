import { appendFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { afterEach, describe, expect, test, vi } from "vitest";
import { readColumns, type StreamReading } from "../../ingest/canonical-stream.ts";
import { FileProblem } from "../../store/file-problem.ts";
import { readInputFile } from "../../store/read-file.ts";
import { TrialFolder } from "../trials/trial-folder.ts";
import { readColumnsBeside, readStreamFile } from "./read-stream-file.ts";

const requestLine = (at: number) =>
  `{"req_id":"request-${at}","tenant":"tenant-${at % 300}","arrival_ms":${at},"cost":1.${at % 7}1,"mode":"soft"}`;

/** A line of every kind that is met now and then. */
function lineAt(at: number): string {
  if (at % 977 === 0) return "";
  if (at % 1009 === 0) return '{"req_id":"cut';
  if (at % 3001 === 0) return requestLine(at - 2);
  if (at % 401 === 0) return `${requestLine(at).replaceAll(":", " : ")}\r`;
  if (at % 503 === 0) return requestLine(at).replace("request", "r\\u0065quest");
  if (at % 20_011 === 0) return "x".repeat(3_000_000);
  return requestLine(at);
}

/** Some pieces for each thread; the last line has no end. */
const large = (): string => `\uFEFF${Array.from({ length: 120_000 }, (_, at) => lineAt(at)).join("\n")}`;

const told = ({ columns: { reqId, ...columns }, ...rest }: StreamReading) => ({
  ...columns,
  ids: Buffer.from(reqId.bytes).toString(),
  starts: reqId.starts.slice(),
  ...rest,
});

/** Reads a large stream, and does something to its file as soon as a part of it was read. */
async function readWhile(folder: TrialFolder, meddle: (path: string) => void): Promise<unknown> {
  const path = await folder.write("stream.jsonl", large());
  let hasMeddled = false;
  return readColumnsBeside(path, () => {
    if (!hasMeddled) meddle(path);
    hasMeddled = true;
  }).catch((error: unknown) => error);
}

afterEach(() => {
  vi.unstubAllEnvs();
});

describe("a stream that two threads read", () => {
  test("is what one finds in it, and its digest that of the file", () =>
    TrialFolder.use(async (folder) => {
      const path = await folder.write("stream.jsonl", large());
      const steps: number[] = [];
      let turns = 0;
      const ticking = setInterval(() => (turns += 1), 1);
      const two = await readColumnsBeside(path, (done) => steps.push(done));
      clearInterval(ticking);
      const one = await readColumns(readInputFile(path));
      expect(told(two)).toEqual(told(one));
      expect(two.problemCount).toBeGreaterThan(100);
      expect(steps).toEqual([...steps].sort((a, b) => a - b));
      expect(steps.at(-1)).toBe(one.bytes);
      expect(turns).toBeGreaterThan(0);
    }));

  test("is read to its end where its name is gone meanwhile: it is the file that was opened", () =>
    TrialFolder.use(async (folder) => {
      const found = (await readWhile(folder, (path) => rmSync(path))) as StreamReading;
      expect(found.lines).toBe(120_000);
    }));

  test.each<[string, (path: string) => void]>([
    ["grows", (path) => appendFileSync(path, `\n${requestLine(1)}`)],
    ["shrinks", (path) => truncateSync(path, 5_000_000)],
    ["is emptied", (path) => truncateSync(path, 0)],
    ["is written anew", (path) => writeFileSync(path, large().replaceAll("soft", "hard"))],
  ])("is a problem of its file where that %s meanwhile", (_, meddle) =>
    TrialFolder.use(async (folder) => {
      const problem = await readWhile(folder, meddle);
      expect(problem).toBeInstanceOf(FileProblem);
      expect(problem).toMatchObject({
        file: join(folder.path, "stream.jsonl"),
        message: "was changed while it was read",
      });
    }),
  );
});

test("two threads end with the reason for which they are to end", () =>
  TrialFolder.use(async (folder) => {
    const path = await folder.write("stream.jsonl", large());
    let told = 0;
    const reading = readColumnsBeside(path, () => {
      told += 1;
      throw new Error("nobody waits any more");
    });
    await expect(reading).rejects.toThrow("nobody waits any more");
    expect(told).toBe(1);
  }));

test("a reading that was given up ends at its next chunk", () =>
  TrialFolder.use(async (folder) => {
    const path = await folder.write("stream.jsonl", large());
    const ending = new AbortController();
    let told = 0;
    const onBytes = () => {
      told += 1;
      ending.abort("nobody waits any more");
    };
    await expect(readStreamFile(path, { onBytes, signal: ending.signal })).rejects.toBe(
      "nobody waits any more",
    );
    expect(told).toBe(1);
  }));

test.each([
  ["one thread", (path: string) => readStreamFile(path)],
  ["two threads", (path: string) => readColumnsBeside(path, () => {})],
])("a file that is not there, or is a folder, is a problem of that file (%s)", (_, read) =>
  TrialFolder.use(async (folder) => {
    const path = join(folder.path, "nowhere");
    expect(await read(path).catch((error: unknown) => error)).toEqual(
      new FileProblem(path, "there is no such file"),
    );
    expect(await read(folder.path).catch((error: unknown) => error)).toMatchObject({
      file: folder.path,
      message: "is a directory; expected a file",
    });
  }),
);

/** Has the second thread run something else. */
async function threadOf(folder: TrialFolder, source: string): Promise<void> {
  const path = join(folder.path, "lib", "rounds", "run", "stream-thread.ts");
  await mkdir(dirname(path), { recursive: true });
  writeFileSync(path, source);
  vi.stubEnv("THROTTLE_ROOT", folder.path);
}

const TAKES_ONE = `const { parentPort, workerData } = require("node:worker_threads");
  Atomics.add(workerData.taken, 0, 1);`;

describe("a second thread that does not do its work ends the reading, and never makes it less", () => {
  test.each([
    ["ends at once", "process.exit(3);", "ended with status 3"],
    ["ends well, but says nothing", "", "ended with status 0"],
    ["throws", 'throw new Error("no room left");', "no room left"],
    ["takes a piece and ends", `${TAKES_ONE} process.exit(0);`, "ended with status 0"],
    [
      "tells that the file cannot be read",
      `${TAKES_ONE} parentPort.postMessage({ kind: "unreadable", file: workerData.path, message: "is gone" });`,
      "is gone",
    ],
  ])("where it %s", async (_, source, message) =>
    TrialFolder.use(async (folder) => {
      const path = await folder.write("stream.jsonl", large());
      await threadOf(folder, source);
      await expect(readColumnsBeside(path, () => {})).rejects.toThrow(message);
    }),
  );

  test("where there is none", () =>
    TrialFolder.use(async (folder) => {
      const path = await folder.write("stream.jsonl", large());
      vi.stubEnv("THROTTLE_ROOT", join(folder.path, "nowhere"));
      await expect(readColumnsBeside(path, () => {})).rejects.toThrow("stream-thread.ts");
    }));
});
