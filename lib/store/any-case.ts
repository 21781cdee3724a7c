import type { Condition } from "./view-selection.ts";

const LETTER = /^[A-Za-z]$/;

/** A sign of a regular expression that stands for itself, a letter of ASCII for both of its cases. */
function sign(character: string): string {
  if (LETTER.test(character)) return `[${character.toLowerCase()}${character.toUpperCase()}]`;
  return `\\x{${character.codePointAt(0)!.toString(16)}}`;
}

/**
 * A column that holds a text, letters of ASCII in either case. Other letters stand for themselves: lower case is another
 * matter in each language, and twenty times as slow. A text without letters is looked for as it is, which is faster still.
 */
export function anyCase(column: "name" | "req_id", text: string): Condition {
  const characters = [...text.toWellFormed()];
  return characters.some((character) => LETTER.test(character))
    ? [`regexp_matches(${column}, ?)`, characters.map(sign).join("")]
    : [`contains(${column}, ?)`, text];
}
