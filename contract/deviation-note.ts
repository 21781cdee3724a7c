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
