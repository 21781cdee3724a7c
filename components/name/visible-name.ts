/** Characters that are invisible or change how others are shown: controls, zero-width, bidi, tags, line separators. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\u00a0\u115f\u1160\u3164\uffa0\u2800\p{Co}\p{Cn}]/gu;
const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });

const writtenOut = (character: string): string =>
  `⟨U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0")}⟩`;

/** A name from a stranger's log with what cannot be seen written out: ⟨U+202E⟩. */
export const visibleName = (name: string): string => name.replace(INVISIBLE, writtenOut);

/** Visible ASCII with single blanks between: what is seen is what it is. */
export const isPlain = (name: string): boolean => /^[!-~]+( [!-~]+)*$/.test(name);

/** A name spelled so that no other is spelled like it: all but visible ASCII written out, and blanks where they are odd. */
export const spelledName = (name: string): string =>
  isPlain(name) ? name : name.replace(/[^!-~]/gu, writtenOut);

/** A text of several lines with what cannot be seen written out; its line ends and tabs stay. */
export const visibleText = (text: string): string =>
  text
    .split(/(\r?\n|\t)/)
    .map((part, at) => (at % 2 === 0 ? visibleName(part) : part))
    .join("");

/** The first graphemes of a text, with an ellipsis where something is left out. */
export function clipGraphemes(text: string, most: number): string {
  if (text.length <= most) return text;
  const parts: string[] = [];
  for (const { segment } of graphemes.segment(text)) {
    if (parts.length === most) return `${parts.join("")}…`;
    parts.push(segment);
  }
  return text;
}
