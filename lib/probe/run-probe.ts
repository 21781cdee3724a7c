import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import type { Reading } from "../../contract/request.ts";
import type { Hasher } from "../reference/canonical-json.ts";
import { judgeRound } from "./judge-round.ts";
import { type ProbeOutcome, unjudged } from "./outcome.ts";
import { ReportBeside } from "./report-beside.ts";

/** Largest report that is read whole, in bytes: as objects it takes ten times its size. */
const LARGEST_WHOLE_BYTES = 32 * 1024 * 1024;

/** Paths of the four files, and how bad lines are met (§1.3). */
export interface ProbeFiles {
  contract: string;
  policy: string;
  input: string;
  report: string;
  reading: Reading;
}

/** A file that cannot be read, in words for people. */
class Unreadable extends Error {}

const WORDS: ReadonlyMap<string, string> = new Map([
  ["ENOENT", "is not there"],
  ["ENOTDIR", "is not there"],
  ["EISDIR", "is a directory"],
  ["EACCES", "may not be read"],
  ["EPERM", "may not be read"],
]);

function unreadable(what: string, path: string, error: unknown): Unreadable {
  const { code = "", message } = error as NodeJS.ErrnoException;
  return new Unreadable(`the ${what} ${path} ${WORDS.get(code) ?? `cannot be read: ${message}`}`);
}

async function bytesOf(what: string, path: string): Promise<Uint8Array> {
  try {
    return await readFile(path);
  } catch (error) {
    throw unreadable(what, path, error);
  }
}

async function sizeOf(what: string, path: string): Promise<number> {
  try {
    return (await stat(path)).size;
  } catch (error) {
    throw unreadable(what, path, error);
  }
}

async function* streamOf(path: string): AsyncGenerator<Uint8Array> {
  try {
    yield* createReadStream(path);
  } catch (error) {
    throw unreadable("stream", path, error);
  }
}

function nodeSha256(): Hasher {
  const hash = createHash("sha256");
  return { update: (bytes) => void hash.update(bytes), hex: () => hash.digest("hex") };
}

/**
 * The outside view of a round by its files (§5.5). Never throws for what a file is or holds: what cannot be judged is
 * `unjudged`, with the reason.
 */
export async function runProbe(
  files: ProbeFiles,
  largestWholeBytes = LARGEST_WHOLE_BYTES,
): Promise<ProbeOutcome> {
  try {
    const isLarge = (await sizeOf("report", files.report)) > largestWholeBytes;
    return await judgeRound({
      contract: await bytesOf("contract", files.contract),
      policy: await bytesOf("policy", files.policy),
      ...(isLarge
        ? { report: new Uint8Array(), beside: new ReportBeside(files.report) }
        : { report: await bytesOf("report", files.report) }),
      stream: streamOf(files.input),
      reading: files.reading,
      sha256: nodeSha256,
    });
  } catch (error) {
    if (error instanceof Unreadable) return unjudged(error.message);
    throw error;
  }
}
