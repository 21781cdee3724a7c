const SPACE = 32;
const QUOTE = 34;
const BRACKET = 91;

/** Where the quoted or bracketed token that begins at `at` ends: the place of its last character; -1 where it does not. */
function endOfToken(line: string, at: number): number {
  const closing = line.charCodeAt(at) === QUOTE ? '"' : "]";
  for (let end = line.indexOf(closing, at + 1); end >= 0; end = line.indexOf(closing, end + 1)) {
    if (closing === "]") return end;
    let start = end;
    while (line[start - 1] === "\\") start -= 1;
    if ((end - start) % 2 === 0) return end;
  }
  return -1;
}

/**
 * The tokens of a line: parted by spaces; a token in quotes or brackets holds spaces and stands without them. Null
 * where a quote is not closed, or something clings to a closed one.
 */
export function tokensOf(line: string): string[] | null {
  const tokens: string[] = [];
  for (let at = 0; at < line.length; ) {
    const first = line.charCodeAt(at);
    if (first === SPACE) {
      at += 1;
      continue;
    }
    if (first === QUOTE || first === BRACKET) {
      const end = endOfToken(line, at);
      const stands = end >= 0 && (end + 1 === line.length || line.charCodeAt(end + 1) === SPACE);
      if (stands) {
        tokens.push(line.slice(at + 1, end));
        at = end + 2;
        continue;
      }
      // Brackets that something clings to are part of a token: `[2001:db8::1]:443`.
      if (first === QUOTE || end < 0) return null;
    }
    const end = line.indexOf(" ", at);
    tokens.push(line.slice(at, end < 0 ? line.length : end));
    at = end < 0 ? line.length : end + 1;
  }
  return tokens;
}

/** The method, target and protocol of a request line; a text that is no request line has none of them. */
export function requestLine(text: string): { method: string; path: string; protocol: string } | null {
  const first = text.indexOf(" ");
  const last = text.lastIndexOf(" ");
  const method = text.slice(0, first);
  if (first <= 0 || !/^[A-Za-z][A-Za-z0-9_-]*$/.test(method)) return null;
  // A request of HTTP/0.9 has no protocol.
  if (last === first) return { method, path: text.slice(first + 1), protocol: "" };
  return { method, path: text.slice(first + 1, last), protocol: text.slice(last + 1) };
}
