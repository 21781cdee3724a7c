import type { GateService } from "../../../contract/gate-config.ts";
import { type Bucket, isFullAt } from "./bucket.ts";
import type { GateState } from "./state.ts";

/** Buckets of a service that may be forgotten, in the order in which they go (G6): full first, then by last use, then by the order of the rules. */
function candidates(
  state: GateState,
  service: GateService,
  kept: (bucket: Bucket) => boolean,
  now_ms: number,
) {
  return state.buckets
    .filter((bucket) => bucket.service === service.name && !kept(bucket))
    .map((bucket) => {
      const place = service.rules.findIndex(({ id }) => id === bucket.rule);
      return { bucket, place, full: isFullAt(bucket, service.rules[place]!, now_ms) };
    })
    .sort((a, b) => Number(b.full) - Number(a.full) || a.bucket.used - b.bucket.used || a.place - b.place);
}

function forget(state: GateState, gone: { bucket: Bucket; full: boolean }[]): void {
  for (const { full } of gone) state.evictions[full ? "full" : "lossy"] += 1;
  state.buckets = state.buckets.filter((bucket) => !gone.some((one) => one.bucket === bucket));
}

const sizeOf = (state: GateState, service: GateService): number =>
  state.buckets.filter((bucket) => bucket.service === service.name).length;

/**
 * Makes room for new buckets of one request, or forgets nothing and says so (G6). Its own buckets, and those an
 * admission holds, stay.
 */
export function makeRoom(
  state: GateState,
  service: GateService,
  wanted: number,
  own: Bucket[],
  isHeld: (bucket: Bucket) => boolean,
  now_ms: number,
): boolean {
  const short = sizeOf(state, service) + wanted - service.max_entries;
  if (short <= 0) return true;
  const list = candidates(state, service, (bucket) => own.includes(bucket) || isHeld(bucket), now_ms);
  const free = service.on_pressure === "deny" ? list.filter(({ full }) => full) : list;
  if (free.length < short) return false;
  forget(state, free.slice(0, short));
  return true;
}

/** Forgets what is above the bound, as far as nothing holds it (G8). */
export function trim(
  state: GateState,
  service: GateService,
  isHeld: (bucket: Bucket) => boolean,
  now_ms: number,
): void {
  const above = sizeOf(state, service) - service.max_entries;
  if (above > 0) forget(state, candidates(state, service, isHeld, now_ms).slice(0, above));
}
