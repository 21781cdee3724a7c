/** The checks health makes, and whether having none is a pass (§5.2: it never is). */
export interface ChecksMade<T> {
  table: readonly T[];
  emptyPasses: boolean;
}

/** The rules by which the signals of §5.5 are found, as functions that a fault can replace. */
export interface SignalRules {
  /** §5.4: the status with which a round ends, from the one that health found. */
  exitStatus(status: number): number;
  /** §5.2: the table of checks. */
  checks<T>(table: readonly T[]): ChecksMade<T>;
  /** §5.1: where health takes the expected values from. */
  expectedFrom: "reference" | "report";
  /** §1: what becomes of a contract or policy that is unavailable. */
  unavailable: "fail" | "defaults";
}

export const honestSignals: SignalRules = {
  exitStatus: (status) => status,
  checks: (table) => ({ table, emptyPasses: false }),
  expectedFrom: "reference",
  unavailable: "fail",
};
