import type { PlaceRow } from "../../contract/round-view.ts";
import { binaryNoise, type NoiseFacts } from "../health/binary-noise.ts";
import type { Place } from "../health/check.ts";

/** Places kept of a diff; above this only those that do not match are kept (all are counted). */
export const MATCHES_KEPT = 200_000;
/** Places of one check that are kept although they do not match; above this the first ones (all are counted). */
export const DIFFERENCES_KEPT = 200_000;

/** A place as it is kept: its values as JSON texts. */
export function placeRow(place: Place, position: number, facts: NoiseFacts): PlaceRow {
  const text = (value: unknown) => (value === undefined ? null : JSON.stringify(value));
  const values = { reported: text(place.reported), expected: text(place.expected) };
  return { ...place, position, ...values, noise: binaryNoise(place, facts) };
}
