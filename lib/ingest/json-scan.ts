const QUOTE = 34;
const BACKSLASH = 92;

const isSpace = (code: number): boolean => code === 32 || code === 9 || code === 10 || code === 13;
/** What ends a number or a literal: white space, comma, closing brackets, or the end of the text. */
const isEnd = (code: number): boolean => isSpace(code) || code === 44 || code === 93 || code === 125;

/** The first place from `at` on that is no white space of JSON. */
export function skipSpace(text: string, at: number): number {
  let next = at;
  while (isSpace(text.charCodeAt(next))) next += 1;
  return next;
}

/** The place behind the string whose opening quote is at `at`; -1 where it does not end. Linear in its length. */
export function endOfString(text: string, at: number): number {
  for (let quote = text.indexOf('"', at + 1); quote >= 0; quote = text.indexOf('"', quote + 1)) {
    let start = quote;
    while (text.charCodeAt(start - 1) === BACKSLASH) start -= 1;
    if ((quote - start) % 2 === 0) return quote + 1;
  }
  return -1;
}

/** The place behind the number or literal that begins at `at`. */
export function endOfScalar(text: string, at: number): number {
  let next = at;
  while (next < text.length && !isEnd(text.charCodeAt(next))) next += 1;
  return next;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON forbids exactly these in a string.
const NEEDS_CARE = /[\\\u0000-\u001f]/;

/** The text that a quoted string stands for; null where it is no string of JSON. */
export function decodeString(quoted: string): string | null {
  if (quoted.charCodeAt(0) !== QUOTE) return null;
  if (!NEEDS_CARE.test(quoted)) return quoted.slice(1, -1);
  try {
    return JSON.parse(quoted) as string;
  } catch {
    return null;
  }
}
