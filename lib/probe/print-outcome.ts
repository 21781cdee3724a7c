import type { ProbeOutcome } from "./probe.ts";

/** Mismatches printed for people; the last line counts all. */
const PRINTED = 50;

const show = (value: unknown): string => (value === undefined ? "nothing" : JSON.stringify(value));

/** The lines a probe prints; the last one is its result. */
export function outcomeLines({
  result,
  compared,
  mismatches,
  mismatchCount,
  message,
}: ProbeOutcome): string[] {
  if (result === "unjudged") return [`RESULT: UNJUDGED (${message})`];
  const lines = mismatches
    .slice(0, PRINTED)
    .map(({ path, reported, expected }) => `${path}: reported ${show(reported)}, expected ${show(expected)}`);
  if (mismatchCount > lines.length) lines.push(`and ${mismatchCount - lines.length} more`);
  lines.push(`compared: ${compared}`);
  lines.push(result === "ok" ? "RESULT: OK" : `RESULT: BAD (${mismatchCount} mismatches)`);
  return lines;
}

/** 0 agreed, 1 did not, 3 could not judge. */
export function outcomeStatus({ result }: ProbeOutcome): number {
  return { ok: 0, bad: 1, unjudged: 3 }[result];
}
