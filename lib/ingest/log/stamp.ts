import type { ArrivalMapping, TimeUnit } from "../../../contract/mapping.ts";
import type { Instant } from "./imported-line.ts";
import { type ZoneOffset, zoneOffsets } from "./zone.ts";

/** Reads a stamp; a text is why it is none. */
export type StampReader = (text: string) => Instant | string;

const ISO =
  /^(\d{4})-(\d\d)-(\d\d)[Tt ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,40}))?)? ?(Z|z|UTC|[+-]\d\d(?::?\d\d)?)?$/;
const CLF = /^(\d\d)\/([A-Z][a-z]{2})\/(\d{4}):(\d\d):(\d\d):(\d\d)(?:\.(\d{1,40}))?(?: ([+-]\d{4}))?$/;
const NUMBER = /^(\d{1,40})(?:\.(\d{1,400}))?(?:[eE]([+-]?\d{1,3}))?$/;
const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

const MS_DIGITS = 3;
/** Digits behind a millisecond that are kept: down to 10⁻¹⁸ s. */
const SUB_DIGITS = 15;
/** The year 10000. */
const END_MS = 253_402_300_800_000;
/** Digits that a unit's number is to be shifted to be seconds. */
const UNIT_DIGITS = new Map<TimeUnit, number>([
  ["s", 0],
  ["ms", 3],
  ["us", 6],
  ["ns", 9],
]);

const TOO_FINE = "has more than 18 digits after the second's point";

/** The digits behind a second's point as milliseconds and what is above them. */
function fractionOf(digits: string | undefined): Instant | string {
  if (digits === undefined) return { ms: 0, sub: 0 };
  if (digits.length > MS_DIGITS + SUB_DIGITS && /[1-9]/.test(digits.slice(MS_DIGITS + SUB_DIGITS)))
    return TOO_FINE;
  return {
    ms: Number(digits.slice(0, MS_DIGITS).padEnd(MS_DIGITS, "0")),
    sub: Number(digits.slice(MS_DIGITS, MS_DIGITS + SUB_DIGITS).padEnd(SUB_DIGITS, "0")),
  };
}

/** Milliseconds of a zone such as `+0130`, `-05:00`, `Z`. */
function zoneMs(zone: string): number | string {
  if (zone === "Z" || zone === "z" || zone === "UTC") return 0;
  const hours = Number(zone.slice(1, 3));
  const minutes = Number(zone.slice(-2)) * (zone.length > 3 ? 1 : 0);
  if (hours > 23 || minutes > 59) return "has a zone that is none";
  return (zone[0] === "-" ? -1 : 1) * (hours * 60 + minutes) * 60_000;
}

/** Days, hours and so on of the calendar, in UTC; a day that is not in the calendar is an error, not the next one. */
function calendarMs(year: number, month: number, day: number, time: string[]): number | string {
  const [hour, minute, second] = time.map(Number) as [number, number, number];
  const ms = Date.UTC(year, month, day, hour, minute, second);
  const date = new Date(ms);
  const isReal =
    hour < 24 && minute < 60 && second < 60 && date.getUTCDate() === day && date.getUTCMonth() === month;
  return isReal ? ms : "is no time of the calendar";
}

function moment(
  local: number | string,
  fraction: string | undefined,
  zone: string | undefined,
  offsets: ZoneOffset | null,
): Instant | string {
  if (typeof local === "string") return local;
  if (zone === undefined && offsets === null) return "has no zone; state one (arrival.zone)";
  const offset = zone === undefined ? offsets!(local) : zoneMs(zone);
  if (typeof offset === "string") return offset;
  const fine = fractionOf(fraction);
  if (typeof fine === "string") return fine;
  const ms = local - offset + fine.ms;
  return ms < 0 ? "is before 1970" : { ms, sub: fine.sub };
}

function readIso(text: string, offsets: ZoneOffset | null): Instant | string {
  const match = ISO.exec(text);
  if (match === null) return "is no time of ISO 8601 (2026-10-25T10:00:00Z)";
  const [, year, month, day, hour, minute, second, fraction, zone] = match;
  const local = calendarMs(Number(year), Number(month) - 1, Number(day), [hour!, minute!, second ?? "00"]);
  return moment(local, fraction, zone, offsets);
}

function readClf(text: string, offsets: ZoneOffset | null): Instant | string {
  const match = CLF.exec(text);
  if (match === null) return "is no time of the common log format (25/Oct/2026:10:00:00 +0000)";
  const [, day, name, year, hour, minute, second, fraction, zone] = match;
  const month = MONTHS.indexOf(name!);
  if (month < 0) return `has no month ${name}`;
  const local = calendarMs(Number(year), month, Number(day), [hour!, minute!, second!]);
  return moment(local, fraction, zone, offsets);
}

/** Seconds since 1970, or a thousandth, millionth, milliardth of them, by their digits: no double is ever made of all. */
function readNumber(text: string, unit: TimeUnit): Instant | string {
  const match = NUMBER.exec(text);
  if (match === null) return text.startsWith("-") ? "is before 1970" : "is no number";
  const [, whole = "", behind = "", exponent = "0"] = match;
  const digits = whole + behind;
  const point = whole.length + Number(exponent) - UNIT_DIGITS.get(unit)!;
  const seconds = point <= 0 ? "0" : digits.slice(0, point).padEnd(point, "0");
  const fraction = point < 0 ? "0".repeat(-point) + digits : digits.slice(point);
  if (Number(seconds) * 1000 >= END_MS) return `is after the year 9999 in ${unit}; state the unit it has`;
  const fine = fractionOf(fraction);
  return typeof fine === "string" ? fine : { ms: Number(seconds) * 1000 + fine.ms, sub: fine.sub };
}

/**
 * How the stamps of a mapping are read, exactly.
 * @param arrival its zone, if any, is one that `isZone` accepts
 */
export function stampReader({ unit, zone, repeated_hour }: ArrivalMapping): StampReader {
  const offsets = zone === undefined ? null : zoneOffsets(zone, repeated_hour);
  if (unit === "iso") return lastSecond((text) => readIso(text, offsets));
  if (unit === "clf") return lastSecond((text) => readClf(text, offsets));
  return (text) => readNumber(text, unit);
}

/** Lines of a log mostly have the stamp of the line above. */
function lastSecond(read: StampReader): StampReader {
  let text: string | null = null;
  let found: Instant | string = "";
  return (next) => {
    if (next !== text) {
      found = read(next);
      text = next;
    }
    return found;
  };
}

/** A moment in ISO 8601, UTC, to the nanosecond. */
export function isoText({ ms, sub }: Instant): string {
  const nanos = String(Math.floor(sub / 10 ** (SUB_DIGITS - 6))).padStart(6, "0");
  return new Date(ms).toISOString().replace("Z", `${nanos}Z`);
}
