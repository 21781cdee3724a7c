import type { RoundFigures } from "../../contract/report.ts";

/** A value of the report that is not what the reference found. */
export interface ProbeMismatch {
  path: string;
  reported: unknown;
  expected: unknown;
}

/** The probe's own comparison: walks what is expected, and looks whether the report says the same. */
export class ProbeComparison {
  compared = 0;
  mismatchCount = 0;
  /** The first of them; the rest are only counted. */
  readonly mismatches: ProbeMismatch[] = [];
  private readonly listed: number;

  constructor(listed: number) {
    this.listed = listed;
  }

  /** Compares two JSON values all the way down. */
  walk(path: string, reported: unknown, expected: unknown): void {
    if (Array.isArray(expected)) return this.list(path, reported, expected);
    if (typeof expected === "object" && expected !== null) return this.object(path, reported, expected);
    this.compared += 1;
    if (reported !== expected) this.note(path, reported, expected);
  }

  private list(path: string, reported: unknown, expected: readonly unknown[]): void {
    const rows: readonly unknown[] = Array.isArray(reported) ? reported : [];
    this.compared += 1;
    if (rows.length !== expected.length || !Array.isArray(reported))
      this.note(`${path}.length`, Array.isArray(reported) ? rows.length : undefined, expected.length);
    expected.forEach((value, at) => {
      this.walk(`${path}[${at}]`, rows[at], value);
    });
  }

  private object(path: string, reported: unknown, expected: object): void {
    const fields = (typeof reported === "object" && reported !== null ? reported : {}) as Record<
      string,
      unknown
    >;
    for (const [key, value] of Object.entries(expected))
      this.walk(
        path === "" ? key : `${path}.${key}`,
        Object.hasOwn(fields, key) ? fields[key] : undefined,
        value,
      );
    for (const key of Object.keys(fields)) {
      if (Object.hasOwn(expected, key)) continue;
      this.compared += 1;
      this.note(`${path}.${key}`, fields[key], undefined);
    }
  }

  private note(path: string, reported: unknown, expected: unknown): void {
    this.mismatchCount += 1;
    if (this.mismatches.length < this.listed) this.mismatches.push({ path, reported, expected });
  }
}

/** What a report says of a round, in the parts that the reference can speak to. */
export interface ProbeFacts extends RoundFigures {
  checksum: string;
  input: {
    contract_sha256: string;
    policy_sha256: string;
    stream_sha256: string;
    requests: number;
    skipped: { count: number };
  };
}

/** Compares a report with the facts; of the skipped lines only the count, since their reasons are prose. */
export function compareFacts(
  report: Record<string, unknown>,
  facts: ProbeFacts,
  listed: number,
): ProbeComparison {
  const comparison = new ProbeComparison(listed);
  const { input, ...figures } = facts;
  for (const [part, expected] of Object.entries(figures)) comparison.walk(part, report[part], expected);
  const reported = (typeof report.input === "object" && report.input !== null ? report.input : {}) as Record<
    string,
    unknown
  >;
  const skipped = (
    typeof reported.skipped === "object" && reported.skipped !== null ? reported.skipped : {}
  ) as { count?: unknown };
  for (const field of ["contract_sha256", "policy_sha256", "stream_sha256", "requests"] as const)
    comparison.walk(`input.${field}`, reported[field], input[field]);
  comparison.walk("input.skipped.count", skipped.count, input.skipped.count);
  return comparison;
}
