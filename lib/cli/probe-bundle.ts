import { openAsBlob } from "node:fs";
import { stat } from "node:fs/promises";
import type { Recheck } from "../../contract/recheck.ts";
import { recheckSource } from "../recheck/recheck-source.ts";
import { nodeSha256 } from "../rounds/sha256.ts";
import { tellPeople } from "./tell.ts";

/** Differences that are printed for people; all are counted. */
const PRINTED = 50;

/** One line, whatever a message quotes. */
const oneLine = (text: string): string => text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ");

/** What a recheck found as lines of text, the result last. */
function recheckLines(recheck: Recheck): string[] {
  if (recheck.outcome === "unjudged") return [`RESULT: UNJUDGED (${oneLine(recheck.message)})`];
  const { digests, differences, found, outside } = recheck;
  const lines = digests
    .filter(({ claimed, found: actual }) => claimed !== actual)
    .map(
      ({ file, claimed, found: actual }) => `${file}: its SHA-256 is ${actual}, the manifest says ${claimed}`,
    );
  const total = found.mismatches + found.indeterminate;
  for (const { path, clause, result, reported, expected, noise } of differences.slice(0, PRINTED)) {
    lines.push(
      `${oneLine(path)}: ${result}, reported ${reported ?? "nothing"}, expected ${expected ?? "nothing"} (${clause})`,
    );
    if (noise !== null) lines.push(`  binary floating point noise, and still a mismatch: ${noise}`);
  }
  if (total > PRINTED) lines.push(`… and ${total - PRINTED} more`);
  lines.push(`checks: ${found.checks}, compared again from outside: ${outside.compared}`);
  if (recheck.outcome === "differs")
    lines.push(`RESULT: BAD (${total} of ${found.checks} checks do not match)`);
  else if (found.status !== 0)
    lines.push("RESULT: SKIPPED LINES (every field matches, but lines were left out)");
  else lines.push("RESULT: OK");
  return lines;
}

/** Status of a recheck (§5.4): 0 only where everything was judged and matched. */
function recheckStatus(recheck: Recheck): 0 | 2 | 3 {
  if (recheck.outcome === "unjudged") return recheck.status;
  return recheck.outcome === "differs" ? 2 : recheck.found.status;
}

/** The file as a blob, read when it is asked for; null where there is none that can be read. */
async function blobOf(path: string): Promise<Blob | null> {
  try {
    // A directory or a device is no bundle, and may have no end.
    return (await stat(path)).isFile() ? await openAsBlob(path) : null;
  } catch {
    return null;
  }
}

/** `probe BUNDLE`: a bundle that anybody kept, judged without a server. Exits 0, 2 or 3 as §5.4 says. */
export async function probeBundleVerb(path: string): Promise<number> {
  const bundle = await blobOf(path);
  if (bundle === null) {
    console.log(`RESULT: UNJUDGED (${oneLine(path)} is no file that can be read)`);
    return 2;
  }
  const { recheck, manifest } = await recheckSource({ kind: "bundle", bundle }, nodeSha256);
  if (manifest !== null) tellPeople(`${oneLine(manifest.round.name)}, ${manifest.round.reading} reading`);
  for (const line of recheckLines(recheck)) console.log(line);
  return recheckStatus(recheck);
}
