/** The value of two hex digits at an index, or -1. */
function byteAt(text: string, index: number): number {
  if (text[index] !== "%") return -1;
  const pair = text.slice(index + 1, index + 3);
  return /^[0-9a-fA-F]{2}$/.test(pair) ? Number.parseInt(pair, 16) : -1;
}

const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** How many bytes the character has that a first byte begins; 0 where it begins none. */
function lengthOf(first: number): number {
  if (first < 0x80) return 1;
  if (first < 0xc2 || first > 0xf4) return 0;
  return first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
}

/** The character that the escapes at an index spell, or null where they are bad: they then stay as they are. */
function characterAt(text: string, index: number): { character: string; bytes: number } | null {
  const first = byteAt(text, index);
  const bytes = first < 0 ? 0 : lengthOf(first);
  if (bytes === 0) return null;
  const spelled = Array.from({ length: bytes }, (_, nth) => byteAt(text, index + 3 * nth));
  if (spelled.includes(-1)) return null;
  try {
    return { character: strict.decode(Uint8Array.from(spelled)), bytes };
  } catch {
    return null;
  }
}

/** Percent-decoded once; what is no escape of a UTF-8 character stays (G2). */
function decoded(text: string): string {
  if (!text.includes("%")) return text;
  let result = "";
  for (let index = 0; index < text.length; ) {
    const found = characterAt(text, index);
    result += found?.character ?? text[index]!;
    index += found === null ? 1 : 3 * found.bytes;
  }
  return result;
}

/** A path that is already in normal form, as nearly all are: it needs no work and no new string. */
const PLAIN = /^(?:\/(?!\.{0,2}(?:\/|$))[^/?#%]*)+\/?$|^\/$/;

function withoutQuery(path: string): string {
  const end = path.search(/[?#]/);
  return end < 0 ? path : path.slice(0, end);
}

/**
 * The path that is matched and shown (G2): without query and fragment, percent-decoded once, slashes collapsed, dot
 * segments resolved and never above the root; a trailing slash stays. Dots at the end leave one, as in RFC 3986.
 */
export function normalPath(path: string): string {
  if (PLAIN.test(path)) return path;
  const text = decoded(withoutQuery(path));
  const segments: string[] = [];
  let open = true;
  for (const segment of text.split("/")) {
    open = segment === "" || segment === "." || segment === "..";
    if (segment === "..") segments.pop();
    if (!open) segments.push(segment);
  }
  const body = segments.join("/");
  return body !== "" && open ? `/${body}/` : `/${body}`;
}

/** A host in lower case without its port (G1); brackets belong to an address. */
export function normalHost(host: string): string {
  const lower = host.toLowerCase();
  const bracketed = lower.startsWith("[");
  const end = bracketed ? lower.indexOf("]") + 1 : 0;
  const colon = lower.indexOf(":", end);
  const tail = lower.slice(colon + 1);
  return colon < 0 || (bracketed && colon !== end) || !isDigits(tail) ? lower : lower.slice(0, colon);
}

const isDigits = (text: string): boolean => /^[0-9]*$/.test(text);
