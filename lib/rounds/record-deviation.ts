import type { Deviation } from "../../contract/deviation.ts";
import { deviationNoteSchema } from "../../contract/deviation-note.ts";
import type { Store } from "../store/open-store.ts";
import type { RoundView } from "../store/round-view.ts";

export type RecordResult = { ok: true; deviation: Deviation } | { ok: false; problem: string };

/**
 * Records that a place is known to differ, and why (§5.3). Only a place that does not match can be one. Nothing that was
 * judged changes: the result of the place, the counts and every status stay.
 */
export async function recordDeviation(
  store: Store,
  round_id: string,
  view: RoundView | null,
  position: number,
  note: unknown,
  now_ms: number,
): Promise<RecordResult> {
  const read = deviationNoteSchema.safeParse(note);
  if (!read.success) {
    const [{ path, message }] = read.error.issues as [(typeof read.error.issues)[number]];
    return { ok: false, problem: `${path.join(".") || "note"}: ${message}` };
  }
  const place = (await view?.place(position)) ?? null;
  if (place === null) return { ok: false, problem: "This round has no such place." };
  if (place.result === "match" || place.result === "ignored")
    return { ok: false, problem: "This place does not differ: there is no deviation to record." };
  const { reason, by, scope } = read.data;
  const deviation = await store.deviations.record(round_id, {
    path: scope === "place" ? place.path : null,
    check: place.check,
    reason,
    by,
    recorded_at_ms: now_ms,
  });
  return { ok: true, deviation };
}
