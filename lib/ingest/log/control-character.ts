// biome-ignore lint/suspicious/noControlCharactersInRegex: what no log holds in a readable line.
const CONTROL = /[\u0000-\u0008\u000a-\u001f\u007f]/;

/** Why a line is not read for a control character in it, a tab aside; null where it holds none. */
export function controlProblem(line: string): string | null {
  const found = CONTROL.exec(line)?.[0];
  if (found === undefined) return null;
  return `holds the control character U+${found.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}`;
}
