import { z } from "zod";

/** A document as a form sends it: its name and its text. */
export const documentSchema = z.strictObject({ name: z.string().max(1000), text: z.string() });

/** A file that was uploaded before, by the digest that the browser found. */
export const uploadSchema = z.strictObject({
  kind: z.literal("upload"),
  upload_id: z.string().max(100),
  sha256: z.string().max(100),
  bytes: z.number().int().min(0),
  name: z.string().max(1000),
});

/** The stream of a round that is stored. */
export const roundStreamSchema = z.strictObject({
  kind: z.literal("round"),
  id: z.string().max(100),
  name: z.string().max(1000),
});

/** A stream as a form sends it: an upload, or a text. */
export const streamSchema = z.discriminatedUnion("kind", [
  uploadSchema,
  z.strictObject({ kind: z.literal("text"), name: z.string().max(1000), text: z.string() }),
]);
