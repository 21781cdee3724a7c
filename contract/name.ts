import { z } from "zod";
import { NAME_MAX_BYTES } from "./limits.ts";

const encoder = new TextEncoder();
// biome-ignore lint/suspicious/noControlCharactersInRegex: §1.4 forbids exactly these.
const CONTROL = /[\u0000-\u001f\u007f]/;

/** Why a value is no name of §1.4, or null where it is one. */
export function nameFault(value: unknown): string | null {
  if (value === undefined) return "is missing; expected a name";
  if (typeof value !== "string") return "expected a name (a string)";
  if (value === "") return "is empty; expected a name of 1 to 256 bytes";
  if (!value.isWellFormed()) return "holds a lone surrogate; expected UTF-8";
  if (CONTROL.test(value)) return "holds a control character; expected a name without";
  if (value.length > NAME_MAX_BYTES || encoder.encode(value).length > NAME_MAX_BYTES)
    return "is longer than 256 bytes of UTF-8";
  return null;
}

/** A name (§1.4): 1 to 256 bytes of UTF-8 without control characters. No name is special. */
export const nameSchema = z
  .unknown()
  .meta({ type: "string", minLength: 1, maxLength: NAME_MAX_BYTES, pattern: "^[^\\u0000-\\u001f\\u007f]+$" })
  .transform((value, context) => {
    const fault = nameFault(value);
    if (fault === null) return value as string;
    context.addIssue({ code: "custom", message: fault });
    return z.NEVER;
  });
