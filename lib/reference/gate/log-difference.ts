/** A field of a log line that is not what the reference finds. */
export interface FieldDifference {
  readonly seq: number;
  readonly clause: string;
  readonly field: string;
  readonly logged: unknown;
  readonly expected: unknown;
}

/** The clause that says what a field must be. */
const CLAUSES: ReadonlyMap<string, string> = new Map([
  ["version", "G8"],
  ["config", "G8"],
  ["service", "G1"],
  ["client", "G3"],
  ["rules", "G2"],
  ["verdict", "G4"],
  ["reason", "G4"],
  ["denied_by", "G4"],
  ["retry_after_ms", "G4"],
  ["balances", "G4"],
  ["freebie", "G7"],
  ["freebies_used", "G7"],
  ["ended", "G4"],
  ["was", "G4"],
  ["reserved", "G4"],
  ["committed", "G4"],
  ["cancelled", "G4"],
  ["expired", "G4"],
  ["outstanding", "G4"],
  ["equation", "G4"],
  ["full", "G6"],
  ["lossy", "G6"],
  ["entries", "G6"],
  ["bucket", "G4"],
  ["use", "G6"],
  ["admission", "G4"],
  ["free_requests", "G7"],
]);

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Whether two JSON values are the same; an absent field is the same as one that is undefined. */
function same(a: unknown, b: unknown): boolean {
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((part, index) => same(part, b[index]));
  if (!isObject(a) || !isObject(b)) return a === b;
  const keys = new Set([...Object.keys(a), ...Object.keys(b)]);
  return [...keys].every((key) => same(a[key], b[key]));
}

/** The difference of a field, or null. */
export function differenceOf(
  field: string,
  logged: unknown,
  expected: unknown,
  seq: number,
): FieldDifference | null {
  if (same(logged, expected)) return null;
  const told = { logged: logged ?? null, expected: expected ?? null };
  return { seq, clause: clauseOf(field, told), field, ...told };
}

/** A verdict or reason belongs to the clause that asks for a credential, or bounds the buckets, where that is what it is about. */
function clauseOf(field: string, { logged, expected }: { logged: unknown; expected: unknown }): string {
  const either = (...values: string[]) =>
    values.includes(logged as string) || values.includes(expected as string);
  if (field === "verdict" && either("challenged", "error")) return "G7";
  if (field === "verdict" && either("unmatched")) return "G1";
  if (field === "reason" && either("capacity")) return "G6";
  if (field === "reason" && either("client")) return "G3";
  if (field === "reason" && either("unavailable")) return "G12";
  return CLAUSES.get(field)!;
}
