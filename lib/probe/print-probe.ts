import type { ProbeMismatch, ProbeOutcome } from "./outcome.ts";

/** Mismatches that are printed for people; all are counted. */
const PRINTED = 50;

const text = (value: unknown): string => (value === undefined ? "nothing" : JSON.stringify(value));

const mismatchLine = ({ path, reported, expected }: ProbeMismatch): string =>
  `${path}: reported ${text(reported)}, expected ${text(expected)}`;

/** One line, whatever a message quotes: a parser may cite the document, and a path may hold anything. */
const oneLine = (message: string): string => message.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ");

function resultLine({ result, mismatchCount, message }: ProbeOutcome): string {
  if (result === "ok") return "RESULT: OK";
  if (result === "bad") return `RESULT: BAD (${mismatchCount} mismatches)`;
  return `RESULT: UNJUDGED (${oneLine(message ?? "no reason known")})`;
}

/** The outcome as lines of text: for people, the result last; or as one line of JSON. */
export function probeLines(outcome: ProbeOutcome, json = false): string[] {
  if (json) return [JSON.stringify(outcome)];
  const { compared, mismatches, mismatchCount } = outcome;
  const lines = mismatches.slice(0, PRINTED).map(mismatchLine);
  if (mismatchCount > lines.length) lines.push(`… and ${mismatchCount - lines.length} more`);
  if (outcome.result !== "unjudged") lines.push(`compared: ${compared}`);
  return [...lines, resultLine(outcome)];
}
