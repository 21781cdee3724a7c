import { existsSync, readFileSync } from "node:fs";
import { relative } from "node:path";

/** A survivor that no test can kill, or need not, and why. Lines may move: the text of the line tells it. */
export interface Justified {
  file: string;
  /** The line that was changed, trimmed. */
  line: string;
  /** What Stryker put in the place of a part of it; its first line, trimmed. */
  replacement: string;
  why: string;
}

/** A mutant as Stryker tells it; lines count from 1. */
interface Place {
  fileName: string;
  location: { start: { line: number } };
  replacement: string;
}

const firstLine = (text: string): string => (text.split("\n")[0] ?? "").trim();

const keyOf = (file: string, line: string, replacement: string): string =>
  JSON.stringify([file, line, replacement]);

/** The changed line of a mutant, trimmed. @param source lines of its file, as they are when a run begins */
export const lineOf = ({ location }: Place, source: readonly string[]): string =>
  (source[location.start.line - 1] ?? "").trim();

/** What a mutant goes by in a file of justifications. @param root the project's folder, from which files are named */
export const keyOfMutant = (mutant: Place, source: readonly string[], root: string): string =>
  keyOf(relative(root, mutant.fileName), lineOf(mutant, source), firstLine(mutant.replacement));

/** The justified survivors of a room by what they go by; one without a reason is an error. */
export function readJustified(path: string): Map<string, Justified> {
  const rows = existsSync(path) ? (JSON.parse(readFileSync(path, "utf8")) as Justified[]) : [];
  for (const row of rows)
    if (row.why.trim() === "") throw new Error(`${path}: a survivor without a reason is not justified`);
  return new Map(rows.map((row) => [keyOf(row.file, row.line, row.replacement), row]));
}
