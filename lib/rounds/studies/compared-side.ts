import { openAsBlob } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { BundleProblem } from "../../bundle/bundle-problem.ts";
import { openBundle } from "../../bundle/open-bundle.ts";
import { readReportStream } from "../../report-file/read-report-stream.ts";
import { logTitle } from "../logs/recognise-log.ts";
import { readReportRows, STREAMED_FROM_BYTES } from "../run/read-report.ts";
import { sha256Of } from "../sha256.ts";
import type { ComparedSide } from "./compare-rounds.ts";
import { readCompared } from "./compare-rounds.ts";

export type SideResult = { ok: true; side: ComparedSide } | { ok: false; message: string };

/** The files of a round in a folder. */
const FILES = { contract: "contract.json", policy: "policy.json", report: "report.json" } as const;
const ZIP_MAGIC = "PK";

/** A digest that a report names; null where it names none. */
function streamOf(report: unknown): string | null {
  const { stream_sha256 } = (report as { input?: { stream_sha256?: unknown } }).input ?? {};
  return typeof stream_sha256 === "string" ? stream_sha256 : null;
}

function sideOf(value: unknown, path: string, contract: string | null, policy: string | null): SideResult {
  const read = readCompared(value);
  if (!read.ok) return { ok: false, message: `${path}: ${read.message}` };
  return { ok: true, side: { report: read.report, contract, policy, stream_sha256: streamOf(value) } };
}

/** Why a file is no report: a log is told as one, since people have logs at hand. */
async function noReport(path: string, message: string): Promise<string> {
  const title = await logTitle(path).catch(() => null);
  if (title === null) return message;
  return `is no report but a log (${title}): make a round of it first, by \`throttle run --input\``;
}

/** A side from a report file, with the documents it was decided from where they are known. */
export async function sideOfReport(
  path: string,
  documents: { contract: string | null; policy: string | null } = { contract: null, policy: null },
  streamedFromBytes = STREAMED_FROM_BYTES,
): Promise<SideResult> {
  const read = await readReportRows(path, streamedFromBytes);
  if (!read.ok) return { ok: false, message: `${path}: ${await noReport(path, read.message)}` };
  return sideOf(read.value, path, documents.contract, documents.policy);
}

/** What a report names by a digest, and a file of another digest lies beside it; null where all are those it names. */
function otherDocument(
  report: unknown,
  documents: Record<"contract" | "policy", Buffer | null>,
): string | null {
  const named = (report as { input?: Record<string, unknown> }).input ?? {};
  for (const file of ["contract", "policy"] as const) {
    const [bytes, expected] = [documents[file], named[`${file}_sha256`]];
    if (bytes === null || typeof expected !== "string" || sha256Of(bytes) === expected) continue;
    return `${FILES[file]} is not the ${file} that ${FILES.report} was made from: its SHA-256 is ${sha256Of(bytes)}, the report names ${expected}`;
  }
  return null;
}

async function sideOfFolder(path: string): Promise<SideResult> {
  const bytes = (file: string) => readFile(join(path, file)).catch(() => null);
  const documents = { contract: await bytes(FILES.contract), policy: await bytes(FILES.policy) };
  const report = join(path, FILES.report);
  const read = await readReportRows(report);
  const other = read.ok ? otherDocument(read.value, documents) : null;
  if (other !== null) return { ok: false, message: `${path}: ${other}` };
  if (!read.ok) return { ok: false, message: `${report}: ${await noReport(report, read.message)}` };
  const text = (document: Buffer | null) => document?.toString("utf8") ?? null;
  return sideOf(read.value, report, text(documents.contract), text(documents.policy));
}

async function sideOfBundle(path: string): Promise<SideResult> {
  try {
    const bundle = await openBundle(await openAsBlob(path));
    const text = async (file: "contract" | "policy") =>
      new TextDecoder("utf-8", { fatal: true }).decode(await bundle.bytesOf(file));
    const report = await readReportStream(bundle.chunksOf("report"));
    if (!report.ok) return { ok: false, message: `${path}: the report ${report.message}` };
    return sideOf(report.value, path, await text("contract"), await text("policy"));
  } catch (error) {
    if (error instanceof BundleProblem || error instanceof TypeError)
      return { ok: false, message: `${path}: ${error.message}` };
    throw error;
  }
}

/**
 * One side of a comparison from what people have at hand: a report's file, a bundle, or a folder that holds
 * `report.json`, and `contract.json` and `policy.json` where they are known.
 */
export async function comparedSide(path: string): Promise<SideResult> {
  const entry = await stat(path).catch(() => null);
  if (entry === null) return { ok: false, message: `${path}: is not there` };
  if (entry.isDirectory()) return sideOfFolder(path);
  if (!entry.isFile()) return { ok: false, message: `${path}: is no file` };
  const head = await (await openAsBlob(path)).slice(0, ZIP_MAGIC.length).text();
  return head === ZIP_MAGIC ? sideOfBundle(path) : sideOfReport(path);
}
