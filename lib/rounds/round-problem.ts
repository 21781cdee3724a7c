import type { InputProblem } from "../../contract/input.ts";
import type { LineProblem } from "../../contract/request.ts";
import type { RoundProblem } from "../../contract/round-view.ts";

const where = ({ file, line, path }: InputProblem): string =>
  [file, line === undefined ? "" : `line ${line}`, path].filter((part) => part !== "").join(", ");

/** A problem as one line for people: file, line, field, and what was expected (§1). */
export function problemLine(problem: InputProblem): string {
  return `${where(problem)}: ${problem.message}`;
}

/** Contract or policy unavailable: nothing is decided (§1, status 3). */
export function documentsUnavailable(documents: InputProblem[]): RoundProblem {
  const first = documents[0];
  const more = documents.length > 1 ? ` (and ${documents.length - 1} more)` : "";
  return {
    message: `Contract or policy unavailable: ${first === undefined ? "no reason known" : problemLine(first)}${more}`,
    status: 3,
    documents,
    lines: [],
    line_count: 0,
  };
}

/** The report is missing or no JSON: the facts are unavailable (§5.4, status 2). */
export function reportUnavailable(file: string, message: string): RoundProblem {
  return {
    message: `Report unavailable: ${file}: ${message}`,
    status: 2,
    documents: [{ file, path: "", message }],
    lines: [],
    line_count: 0,
  };
}

/** The stream is missing or unreadable: the facts are unavailable (§5.4, status 2). */
export function streamUnavailable(file: string, message: string): RoundProblem {
  return {
    message: `Stream unavailable: ${file}: ${message}`,
    status: 2,
    documents: [{ file, path: "", message }],
    lines: [],
    line_count: 0,
  };
}

/** Strict reading met bad lines: the round is refused (§1.3, status 2). */
export function streamRefused(file: string, lines: LineProblem[], line_count: number): RoundProblem {
  return {
    message: `Stream refused: ${line_count} bad ${line_count === 1 ? "line" : "lines"} in ${file}`,
    status: 2,
    documents: [],
    lines,
    line_count,
  };
}
