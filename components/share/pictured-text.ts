const MOST = 52;

/**
 * A stranger's text with only what the picture's own font can draw. For anything else the drawing program would ask
 * other servers for fonts and emoji: it must not, and need not. What cannot be drawn is a low line.
 */
export function picturedText(text: string): string {
  const drawn = text.replace(/[^\x20-\x7e]+/gu, "_").trim();
  return drawn.length <= MOST ? drawn : `${drawn.slice(0, MOST - 3)}...`;
}
