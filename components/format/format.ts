/** One way to write numbers, spans and times on every screen. */

const THIN_SPACE = "\u2009";

/** A whole number with thin spaces between thousands. */
export function formatCount(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+(?!\d))/g, THIN_SPACE);
}

/** A count with its noun. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`;
}

/** Tokens as the report prints them, thousands apart. */
export function formatTokens(tokens: number): string {
  return String(tokens).replace(/^-?\d+/, (whole) => whole.replace(/\B(?=(\d{3})+(?!\d))/g, THIN_SPACE));
}

const UNITS = [
  ["d", 86_400_000],
  ["h", 3_600_000],
  ["min", 60_000],
  ["s", 1000],
] as const;

/** A span in its two largest units; below a second in milliseconds. */
export function formatSpan(ms: number): string {
  const first = UNITS.findIndex(([, unit]) => ms >= unit);
  if (first < 0) return `${formatCount(Math.round(ms))} ms`;
  const [name, unit] = UNITS[first]!;
  if (name === "s") return `${Number((ms / 1000).toFixed(ms < 10_000 ? 3 : 1))} s`;
  const [nextName, nextUnit] = UNITS[first + 1]!;
  const rest = Math.floor((ms % unit) / nextUnit);
  return `${Math.floor(ms / unit)} ${name}${rest === 0 ? "" : ` ${rest} ${nextName}`}`;
}

/** Bytes in powers of 1024. */
export function formatBytes(bytes: number): string {
  const units = ["B", "KiB", "MiB", "GiB", "TiB"];
  const power = bytes < 1 ? 0 : Math.min(Math.floor(Math.log2(bytes) / 10), units.length - 1);
  const amount = bytes / 1024 ** power;
  return `${power === 0 ? amount : amount.toFixed(1)} ${units[power]}`;
}
