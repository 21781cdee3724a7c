import { isUtf8 } from "node:buffer";

/** How many bytes the character has that a first byte begins, if it begins any. */
function lengthOf(first: number): number {
  if (first < 0x80) return 1;
  if (first < 0xe0) return 2;
  return first < 0xf0 ? 3 : 4;
}

/** A run of escapes, decoded; one whose byte belongs to no UTF-8 character is bad, and stays as it is (G2). */
function decodedRun(run: string): string {
  const bytes = Buffer.from(run.replaceAll("%", ""), "hex");
  let result = "";
  for (let at = 0; at < bytes.length; ) {
    const character = bytes.subarray(at, at + lengthOf(bytes[at]!));
    const isOne = isUtf8(character);
    result += isOne ? character.toString() : run.slice(3 * at, 3 * at + 3);
    at += isOne ? character.length : 1;
  }
  return result;
}

/** Percent-decoded once; what is no escape of a UTF-8 character stays (G2). */
const decoded = (text: string): string => text.replace(/(?:%[0-9a-fA-F]{2})+/g, decodedRun);

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
  const spelled = decoded(withoutQuery(path)).split("/");
  const segments: string[] = [];
  for (const segment of spelled) {
    if (segment === "..") segments.pop();
    if (!namesNothing(segment)) segments.push(segment);
  }
  const body = segments.join("/");
  return body !== "" && namesNothing(spelled.at(-1)!) ? `/${body}/` : `/${body}`;
}

const namesNothing = (segment: string): boolean => segment === "" || segment === "." || segment === "..";

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
