/** Moments on one stated clock: every screen uses the zone that its reader chose, UTC until then. */

export const UTC = "UTC";

/** Whether this program knows the clock of a zone. */
export function isZone(zone: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone: zone });
    return true;
  } catch {
    return false;
  }
}

const clocks = new Map<string, Intl.DateTimeFormat>();

function clockOf(zone: string): Intl.DateTimeFormat {
  const known = clocks.get(zone);
  if (known !== undefined) return known;
  const clock = new Intl.DateTimeFormat("en-GB", {
    timeZone: zone,
    hourCycle: "h23",
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
    timeZoneName: "longOffset",
  });
  clocks.set(zone, clock);
  return clock;
}

/** The parts of a moment on a zone's clock, and its offset. */
function partsOf(at_ms: number, zone: string): (part: string) => string {
  const parts = new Map<string, string>(
    clockOf(zone)
      .formatToParts(at_ms)
      .map(({ type, value }) => [type, value]),
  );
  return (part) => parts.get(part) ?? "";
}

/**
 * A moment (ms since the epoch) on a zone's clock with its offset, so that the hour that a change to winter time repeats
 * is told apart: `2026-10-25 02:30:00 UTC+02:00`; in UTC `2026-10-25 00:30:00 UTC`.
 */
export function formatMoment(at_ms: number, zone: string, fraction = ""): string {
  const part = partsOf(at_ms, zone);
  const offset = zone === UTC ? UTC : part("timeZoneName").replace("GMT", UTC);
  return `${part("year")}-${part("month")}-${part("day")} ${part("hour")}:${part("minute")}:${part("second")}${fraction} ${offset}`;
}

/** The same to the millisecond: `2026-10-25 00:30:00.250 UTC`. */
export const formatExactMoment = (at_ms: number, zone: string): string =>
  formatMoment(at_ms, zone, `.${String(((at_ms % 1000) + 1000) % 1000).padStart(3, "0")}`);

/** A moment at an axis on a zone's clock: the day too where the axis spans more than one, seconds only below an hour. */
export function formatTick(at_ms: number, zone: string, span_ms: number): string {
  const part = partsOf(at_ms, zone);
  const time = `${part("hour")}:${part("minute")}`;
  if (span_ms >= 86_400_000) return `${part("month")}-${part("day")} ${time}`;
  return span_ms >= 3_600_000 ? time : `${time}:${part("second")}`;
}

const STEPS = [
  ["year", 365 * 86_400_000],
  ["month", 30 * 86_400_000],
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
] as const;
const WORDS = new Intl.RelativeTimeFormat("en");

/** How long before or after `now_ms` a moment is, in one unit: `3 hours ago`, `in 2 days`. */
export function formatRelative(at_ms: number, now_ms: number): string {
  const by_ms = at_ms - now_ms;
  for (const [unit, unit_ms] of STEPS)
    if (Math.abs(by_ms) >= unit_ms) return WORDS.format(Math.trunc(by_ms / unit_ms), unit);
  return by_ms > 0 ? "in less than a minute" : "just now";
}
