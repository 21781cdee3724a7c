import { Temporal } from "temporal-polyfill";
import type { ArrivalMapping } from "../../../contract/mapping.ts";

const MINUTE_MS = 60_000;
/** Minutes whose offset is remembered: a year has half a million. */
const REMEMBERED = 1_000_000;

/** Offset of a zone from UTC in milliseconds at a local time, or why there is none. */
export type ZoneOffset = (local_ms: number) => number | string;

/** Whether a text is a zone's name: IANA, `UTC`, or an offset such as `+02:00`. */
export function isZone(zone: string): boolean {
  try {
    new Temporal.ZonedDateTime(0n, zone);
    return true;
  } catch {
    return false;
  }
}

/** Offset at a local minute. The clock may jump over it, or show it twice. */
function offsetOf(
  local_ms: number,
  zone: string,
  repeated: ArrivalMapping["repeated_hour"],
): number | string {
  const local = Temporal.Instant.fromEpochMilliseconds(local_ms).toZonedDateTimeISO("UTC").toPlainDateTime();
  const earlier = local.toZonedDateTime(zone, { disambiguation: "earlier" });
  const later = local.toZonedDateTime(zone, { disambiguation: "later" });
  const offset = (moment: Temporal.ZonedDateTime) => local_ms - moment.epochMilliseconds;
  if (earlier.epochMilliseconds === later.epochMilliseconds) return offset(earlier);
  if (!earlier.toPlainDateTime().equals(local))
    return `does not exist in ${zone}: the clock was put forward over it`;
  if (repeated === undefined)
    return `happened twice in ${zone}: the clock was put back; say which is meant (repeated_hour)`;
  return offset(repeated === "earlier" ? earlier : later);
}

/**
 * Offsets of a zone, remembered by the minute. A time that the clock jumped over has none, whatever the mapping says;
 * one that it showed twice has the one that `repeated` says, or none.
 * @param zone a name that `isZone` accepts
 */
export function zoneOffsets(zone: string, repeated: ArrivalMapping["repeated_hour"]): ZoneOffset {
  if (zone === "UTC") return () => 0;
  const known = new Map<number, number | string>();
  return (local_ms) => {
    const minute = Math.floor(local_ms / MINUTE_MS);
    const found = known.get(minute);
    if (found !== undefined) return found;
    if (known.size >= REMEMBERED) known.clear();
    const offset = offsetOf(minute * MINUTE_MS, zone, repeated);
    known.set(minute, offset);
    return offset;
  };
}
