/** A recorded deviation. It is shown beside the mismatch, and changes neither result nor status (§5.3). */
export interface Deviation {
  id: string;
  /** Path of the one place, or null for every place of the check. */
  path: string | null;
  check: string;
  reason: string;
  by: string;
  recorded_at_ms: number;
}

/** The deviation that speaks of a place: its own before its check's. */
export function deviationOf(
  deviations: readonly Deviation[],
  place: { path: string; check: string },
): Deviation | null {
  return (
    deviations.find(({ path }) => path === place.path) ??
    deviations.find(({ path, check }) => path === null && check === place.check) ??
    null
  );
}
