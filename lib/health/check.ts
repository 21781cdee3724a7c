import type { CheckResult } from "../../contract/health.ts";
import type { ReportInput, RoundFigures } from "../../contract/report.ts";
import type { PlaceSection } from "../../contract/round-view.ts";
import { isRows, type Rows } from "../../contract/rows.ts";

/** What the reference found for a round, in the form a report is compared with. */
export interface Expected {
  figures: RoundFigures;
  checksum: string;
  input: ReportInput;
  /** The checksum of the report's own content, found apart from what the report says; null where it has none. */
  contentChecksum: string | null;
}

/** One place of a report that a check looked at (§5.2). A value that is absent is undefined. */
export interface Place {
  check: string;
  clause: string;
  section: PlaceSection;
  /** Tenant or request that the place is about; empty for none. */
  subject: string;
  path: string;
  result: CheckResult;
  reported: unknown;
  expected: unknown;
}

/** What a check says of one place; its own id, clause and section are added by whoever runs the table. */
export interface Finding {
  path: string;
  subject?: string;
  reported: unknown;
  expected: unknown;
  /** Where comparing the two values does not tell (§5.2). */
  result?: CheckResult;
}

/** So many places at once that match: rows that are the expected ones, byte for byte; or nobody asks which they are. */
export interface Agreement {
  agreed: number;
}

/** A report as it came: fields by name, or nothing where it is no object. */
export type ReportObject = Readonly<Record<string, unknown>>;

/** One check of the table (§5.2). `findings` looks at the report and never at where the expected values came from. */
export interface Check {
  id: string;
  clause: string;
  title: string;
  section: PlaceSection;
  /** @param isBrief nobody asks for what matches: it may be told as so many at once */
  findings(report: ReportObject, expected: Expected, isBrief: boolean): Iterable<Finding | Agreement>;
}

/** Whether a value is an object with fields, neither null nor a list. */
export const isTable = (value: unknown): value is ReportObject =>
  typeof value === "object" && value !== null && !isRows(value);

/** An object's own fields, or none where the value is no object. */
export const fieldsOf = (value: unknown): ReportObject => (isTable(value) ? value : {});

/** An object's own field; undefined where it has none of that name, also where its prototype has one. */
export function fieldOf(value: unknown, name: string): unknown {
  const fields = fieldsOf(value);
  return Object.hasOwn(fields, name) ? fields[name] : undefined;
}

export const rowsOf = (value: unknown): Rows<unknown> => (isRows(value) ? value : []);
