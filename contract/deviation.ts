import { z } from "zod";

const line = (max: number) =>
  z
    .string()
    .trim()
    .min(1)
    .max(max)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is refused
    .regex(/^[^\u0000-\u0008\u000b-\u001f\u007f]*$/, "expected a text without control characters");

/** What an operator says of a place that is known to differ (§5.3): why, and who. */
export const deviationNoteSchema = z.strictObject({
  reason: line(2000),
  by: line(200),
  /** This place alone, or every place of its check in this round. */
  scope: z.enum(["place", "check"]),
});
export type DeviationNote = z.output<typeof deviationNoteSchema>;

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
