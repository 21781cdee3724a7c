import type { InputResult } from "../../../contract/input.ts";
import type { FormatSpec, LogPreview, Mapping, Recognised } from "../../../contract/mapping.ts";
import { readDocument } from "../../ingest/document.ts";
import { ArchiveProblem } from "../../ingest/log/archive.ts";
import { type LogHead, previewLog, readHead, recognise } from "../../ingest/log/recognise.ts";
import { readMapping } from "../../ingest/log/request-mapper.ts";
import { FileProblem } from "../../store/file-problem.ts";
import { readInputFile, readSmallFile } from "../../store/read-file.ts";

/** Bytes of a log by which it is recognised. */
export const HEAD_BYTES = 256 * 1024;
const MAPPING_MAX_BYTES = 1024 * 1024;
const PREVIEW_ROWS = 20;

/** The first bytes of a log as a browser or a file gives them. */
export interface HeadBytes {
  bytes: Uint8Array;
  /** Whether these are all of them. */
  isWhole: boolean;
}

async function opened<T>(
  { bytes, isWhole }: HeadBytes,
  then: (head: LogHead) => T,
): Promise<T | { ok: false; reason: string; isDamaged: true }> {
  try {
    return then(await readHead(bytes, isWhole));
  } catch (error) {
    if (error instanceof ArchiveProblem) return { ok: false, reason: error.message, isDamaged: true };
    throw error;
  }
}

/** Recognises a log by its first bytes; `wanted`: as this format only. */
export async function recogniseHead(head: HeadBytes, wanted?: FormatSpec): Promise<Recognised> {
  const result = await opened(head, (read) => recognise(read, wanted));
  if (result === null) return { kind: "canonical" };
  return "isDamaged" in result ? { kind: "unreadable", reason: result.reason } : { kind: "log", result };
}

/** What a file is where it is a log that is known here; null where it is something else. Errors are FileProblems. */
export async function logTitle(path: string): Promise<string | null> {
  const found = await recogniseHead(await headOf(path));
  return found.kind === "log" && found.result.ok ? found.result.recognition.title : null;
}

/** The first rows of a log under a mapping; problems of the mapping have their paths. */
export async function previewHead(head: HeadBytes, mapping: unknown): Promise<InputResult<LogPreview>> {
  const read = readMapping(mapping);
  if (!read.ok) return read;
  const preview = await opened(head, (log) => previewLog(log, read.value, PREVIEW_ROWS));
  return "rows" in preview
    ? { ok: true, value: preview }
    : { ok: false, problems: [{ file: "log", path: "", message: preview.reason }] };
}

/** The first bytes of a file. Errors are FileProblems. */
export async function headOf(path: string): Promise<HeadBytes> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of readInputFile(path)) {
    chunks.push(chunk);
    length += chunk.length;
    if (length > HEAD_BYTES) return { bytes: Buffer.concat(chunks), isWhole: false };
  }
  return { bytes: Buffer.concat(chunks), isWhole: true };
}

/** The same as a form holds them, without a byte more; null where the file cannot be read, or is not there any more. */
export async function firstBytes(path: string): Promise<Uint8Array<ArrayBuffer> | null> {
  const head = await headOf(path).catch(() => null);
  return head === null ? null : new Uint8Array(head.bytes.subarray(0, HEAD_BYTES));
}

/** Reads a file that holds a mapping; each problem has its line and path. */
export async function loadMapping(path: string): Promise<InputResult<Mapping>> {
  const refused = (message: string): InputResult<never> => ({
    ok: false,
    problems: [{ file: path, path: "", message }],
  });
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(
      await readSmallFile(path, MAPPING_MAX_BYTES),
    );
    const document = readDocument(text, path);
    if (!document.ok) return document;
    const read = readMapping(document.value.value, path);
    if (read.ok) return read;
    const problems = read.problems.map((problem) => {
      const line = document.value.lineOf(problem.path);
      return line === undefined ? problem : { ...problem, line };
    });
    return { ok: false, problems };
  } catch (error) {
    if (error instanceof FileProblem) return refused(error.message);
    if (error instanceof TypeError) return refused("is no UTF-8; expected JSON in UTF-8");
    throw error;
  }
}
