import { createHash } from "node:crypto";
import { appendFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { mkdir, open, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { afterEach, describe, expect, test, vi } from "vitest";
import { readColumns, type StreamReading } from "../../ingest/canonical-stream.ts";
import { writeBlocksAtomic } from "../../store/atomic-file.ts";
import { FileProblem } from "../../store/file-problem.ts";
import { readInputFile } from "../../store/read-file.ts";
import { TrialFolder } from "../trials/trial-folder.ts";
import { HashingThread, hashingBeside } from "./hashing-beside.ts";
import { readColumnsHashed } from "./read-stream-file.ts";
import { runRound } from "./run-round.ts";

const sha256 = (...pieces: (string | Uint8Array)[]) => {
  const hash = createHash("sha256");
  for (const piece of pieces) hash.update(piece);
  return hash.digest("hex");
};

/** Lends a thread that hashes, and ends it whatever happens. */
async function withThread<Result>(work: (thread: HashingThread) => Promise<Result>): Promise<Result> {
  const thread = new HashingThread();
  try {
    return await work(thread);
  } finally {
    await thread.stop();
  }
}

/** Writes blocks to a file whose text a thread hashes; the digest of that text with `end` behind it. */
async function writeFollowed(
  thread: HashingThread,
  path: string,
  blocks: readonly Uint8Array[],
  end: string,
  between: (temporary: string) => void = () => {},
): Promise<string> {
  let found = "";
  await writeBlocksAtomic(path, async function* (file) {
    const text = thread.follow(file);
    let bytes = 0;
    for (const block of blocks) {
      yield block;
      bytes += block.length;
      text.wrote(bytes);
      between(file.path);
    }
    found = await text.sha256(end);
  });
  return found;
}

/** About nine megabytes of requests: so many are hashed beside. */
const line = (at: number) =>
  `{"req_id":"request-${at}","tenant":"tenant-${at % 30}","arrival_ms":${at},"cost":1.${at % 7}1,"mode":"soft"}\n`;
const large = (): string => Array.from({ length: 100_000 }, (_, at) => line(at)).join("");

afterEach(() => {
  vi.unstubAllEnvs();
});

describe("a thread that hashes", () => {
  test("finds the digest of a text that is written, whatever its blocks, text after text", () =>
    TrialFolder.use((folder) =>
      withThread(async (thread) => {
        const block = fc
          .record({ length: fc.oneof(fc.nat(3), fc.nat(3_000_000)), byte: fc.nat(255) })
          .map(({ length, byte }) => Uint8Array.from({ length }, (_, at) => byte + (at % 251)));
        const path = join(folder.path, "text");
        await fc.assert(
          fc.asyncProperty(fc.array(block, { maxLength: 6 }), fc.string(), async (blocks, end) => {
            expect(await writeFollowed(thread, path, blocks, end)).toBe(sha256(...blocks, end));
            expect((await readFile(path)).equals(Buffer.concat(blocks))).toBe(true);
          }),
          { numRuns: 25 },
        );
      }),
    ));

  test("finds that of an open file's first bytes, though its name is gone", () =>
    TrialFolder.use((folder) =>
      withThread(async (thread) => {
        const path = await folder.write("stream", large());
        const file = await open(path, "r");
        try {
          rmSync(path);
          const first = await thread.fileSha256({ path, fd: file.fd }, 2_500_000);
          expect(first).toBe(sha256(large().slice(0, 2_500_000)));
        } finally {
          await file.close();
        }
      }),
    ));

  test("tells a file problem where the text is not in the file any more, and no digest of less", () =>
    TrialFolder.use((folder) =>
      withThread(async (thread) => {
        const path = join(folder.path, "text");
        const blocks = [new Uint8Array(2_000_000).fill(1), new Uint8Array(2_000_000).fill(2)];
        const writing = writeFollowed(thread, path, blocks, "", (temporary) => truncateSync(temporary, 10));
        const problem = await writing.catch((error: unknown) => error);
        expect(problem).toBeInstanceOf(FileProblem);
        expect(problem).toMatchObject({ message: "was changed while it was read" });
        await expect(readFile(path)).rejects.toThrow("ENOENT");
      }),
    ));

  test("tells a file problem where the file cannot be read", () =>
    withThread(async (thread) => {
      const problem = await thread.fileSha256({ path: "closed", fd: 2 ** 20 }, 1).catch((error) => error);
      expect(problem).toBeInstanceOf(FileProblem);
      expect(problem.file).toBe("closed");
    }));

  test("is there for large streams only, and for none that is not there", () =>
    TrialFolder.use(async (folder) => {
      expect(await hashingBeside(await folder.write("small", "x".repeat(8 * 2 ** 20 - 1)))).toBeNull();
      expect(await hashingBeside(join(folder.path, "nowhere"))).toBeNull();
      const thread = await hashingBeside(await folder.write("large", "x".repeat(8 * 2 ** 20)));
      expect(thread).toBeInstanceOf(HashingThread);
      await thread?.stop();
    }));
});

const told = ({ columns: { reqId, ...columns }, ...rest }: StreamReading) => ({
  ...columns,
  ids: Buffer.from(reqId.bytes).toString(),
  ...rest,
});

describe("a stream whose digest another thread finds", () => {
  test("is what is found in it otherwise", () =>
    TrialFolder.use((folder) =>
      withThread(async (thread) => {
        const path = await folder.write("stream", `${large()}bad line\n`);
        const steps: number[] = [];
        const beside = await readColumnsHashed(path, thread, (done) => steps.push(done));
        expect(told(beside)).toEqual(told(await readColumns(readInputFile(path))));
        expect(beside.problemCount).toBe(1);
        expect(steps.at(-1)).toBe(beside.bytes);
      }),
    ));

  test.each<[string, (path: string) => void]>([
    ["grows", (path) => appendFileSync(path, line(1))],
    ["shrinks", (path) => truncateSync(path, 5_000_000)],
    ["is emptied", (path) => truncateSync(path, 0)],
    ["is written anew", (path) => writeFileSync(path, large().replaceAll("soft", "hard"))],
  ])("is a problem of its file where that %s meanwhile", (_, meddle) =>
    TrialFolder.use((folder) =>
      withThread(async (thread) => {
        const path = await folder.write("stream", large());
        let hasMeddled = false;
        const reading = readColumnsHashed(path, thread, () => {
          if (!hasMeddled) meddle(path);
          hasMeddled = true;
        });
        const problem = await reading.catch((error: unknown) => error);
        expect(problem).toBeInstanceOf(FileProblem);
        expect(problem).toMatchObject({ file: path, message: "was changed while it was read" });
      }),
    ),
  );

  test("ends with the reason for which it is to end, and the thread with it", () =>
    TrialFolder.use((folder) =>
      withThread(async (thread) => {
        const path = await folder.write("stream", large());
        const reading = readColumnsHashed(path, thread, () => {
          throw new Error("nobody waits any more");
        });
        await expect(reading).rejects.toThrow("nobody waits any more");
        await expect(thread.fileSha256({ path, fd: 0 }, 1)).rejects.toThrow("the thread that hashes ended");
      }),
    ));
});

/** Has the thread run something else. */
async function threadOf(folder: TrialFolder, source: string): Promise<void> {
  const path = join(folder.path, "lib", "rounds", "run", "hashing-thread.ts");
  await mkdir(dirname(path), { recursive: true });
  writeFileSync(path, source);
  vi.stubEnv("THROTTLE_ROOT", folder.path);
}

/** Does its work until it is asked for the digest of a text. */
const UNTIL_THE_END = (end: string) => `
  const { createHash } = require("node:crypto");
  const { readSync } = require("node:fs");
  const { parentPort } = require("node:worker_threads");
  parentPort.on("message", (order) => {
    if (order.kind === "file") {
      const bytes = Buffer.alloc(order.bytes);
      readSync(order.file.fd, bytes, 0, bytes.length, 0);
      parentPort.postMessage({ kind: "digest", sha256: createHash("sha256").update(bytes).digest("hex") });
    } else { ${end} }
  });`;

describe("a thread that does not do its work ends the round, and leaves no report", () => {
  test.each([
    ["ends at once", "process.exit(3);", "the thread that hashes ended with status 3"],
    ["ends well, but says nothing", "", "the thread that hashes ended with status 0"],
    ["throws", 'throw new Error("no room left");', "no room left"],
    [
      "ends while the report is written",
      UNTIL_THE_END("process.exit(0);"),
      "the thread that hashes ended with status 0",
    ],
    ["throws then", UNTIL_THE_END('throw new Error("no memory");'), "no memory"],
  ])("where it %s", (_, source, message) =>
    TrialFolder.use(async (folder) => {
      const { files } = folder.scenario();
      const input = await folder.write("stream", large());
      await threadOf(folder, source);
      await expect(hashedRound({ ...files, input })).rejects.toThrow(message);
      await expect(readFile(files.report)).rejects.toThrow("ENOENT");
    }),
  );
});

test("a round whose stream and report are hashed beside is found to be right", () =>
  TrialFolder.use(async (folder) => {
    const { files } = folder.scenario();
    const input = await folder.write("stream", large());
    const round = await hashedRound({ ...files, input });
    expect(round).toMatchObject({ kind: "decided", truth: { status: 0, mismatches: 0 } });
    const report = JSON.parse(await readFile(files.report, "utf8"));
    expect(report.input.stream_sha256).toBe(sha256(large()));
    expect(report.decisions).toHaveLength(100_000);
  }));

const hashedRound = (files: Parameters<typeof runRound>[0]) =>
  runRound(files, { reading: "strict", faults: [] });
