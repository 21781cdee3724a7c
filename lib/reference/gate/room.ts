import type { GateService } from "../../../contract/gate-config.ts";
import type { Bucket } from "./bucket.ts";
import type { GateState } from "./state.ts";

/**
 * Up to `short` buckets of a service that may be forgotten, in the order in which they go (G6): full first, then by last
 * use, ties by the order of the rules.
 */
function firstToGo(
  state: GateState,
  service: GateService,
  short: number,
  stays: (bucket: Bucket) => boolean,
  now_ms: number,
): { full: Bucket[]; others: Bucket[] } {
  const full: Bucket[] = [];
  const others: Bucket[] = [];
  for (const bucket of state.buckets.inOrderOfUse(service.name)) {
    if (full.length === short) break;
    if (bucket.holds > 0 || stays(bucket)) continue;
    if (bucket.full_ms <= now_ms) full.push(bucket);
    else if (others.length < short) others.push(bucket);
  }
  return { full, others: others.slice(0, short - full.length) };
}

function forget(state: GateState, gone: Bucket[], kind: "full" | "lossy"): void {
  state.evictions[kind] += gone.length;
  for (const bucket of gone) state.buckets.remove(bucket);
}

/**
 * Makes room for new buckets of one request, or forgets nothing and says so (G6). Its own buckets, and those an
 * admission holds, stay.
 */
export function makeRoom(
  state: GateState,
  service: GateService,
  wanted: number,
  own: Bucket[],
  now_ms: number,
): boolean {
  const short = Math.max(0, state.buckets.sizeOf(service.name) + wanted - service.max_entries);
  const { full, others } = firstToGo(state, service, short, (bucket) => own.includes(bucket), now_ms);
  const lossy = service.on_pressure === "deny" ? [] : others;
  if (full.length + lossy.length < short) return false;
  forget(state, full, "full");
  forget(state, lossy, "lossy");
  return true;
}

/** Forgets what is above the bound, as far as nothing holds it (G8). */
export function trim(state: GateState, service: GateService, now_ms: number): void {
  const above = Math.max(0, state.buckets.sizeOf(service.name) - service.max_entries);
  const { full, others } = firstToGo(state, service, above, () => false, now_ms);
  forget(state, full, "full");
  forget(state, others, "lossy");
}
