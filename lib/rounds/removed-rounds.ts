import type { Store } from "../store/open-store.ts";
import type { RoundFilter } from "../store/rounds.ts";
import type { RoundQueue } from "./round-work.ts";

/** How long a removed round can be put back. */
export const GRACE_MS = 60 * 60_000;

/** Rounds that were removed together and can still be put back. */
export interface RemovedBatch {
  /** Names the batch: when it was removed. */
  batch_ms: number;
  count: number;
  /** Until when it can be put back. */
  until_ms: number;
}

/**
 * Removing rounds so that it can be undone: they vanish at once and are forgotten an hour later. A round that waits or
 * runs is cancelled; put back, it runs again from its stored inputs.
 */
export class RemovedRounds {
  private readonly store: Store;
  private readonly queue: RoundQueue;
  private lastBatch_ms = 0;
  private isSwept = false;

  constructor(store: Store, queue: RoundQueue) {
    this.store = store;
    this.queue = queue;
  }

  /** Removes rounds by their ids, or all that a filter finds; null where there was none. */
  async remove(which: readonly string[] | RoundFilter): Promise<RemovedBatch | null> {
    const batch_ms = Math.max(Date.now(), this.lastBatch_ms + 1);
    this.lastBatch_ms = batch_ms;
    if ((await this.store.rounds.remove(which, batch_ms)) === 0) return null;
    for (const { id, state } of await this.store.rounds.removedIn(batch_ms))
      if ((state === "waiting" || state === "running") && (await this.queue.cancel(id)))
        await this.store.rounds.update(id, { requeue: 1 });
    return this.batch(batch_ms);
  }

  /** What of a batch can still be put back; null where it is nothing. */
  async batch(batch_ms: number): Promise<RemovedBatch | null> {
    const { length } = await this.store.rounds.removedIn(batch_ms);
    return length === 0 ? null : { batch_ms, count: length, until_ms: batch_ms + GRACE_MS };
  }

  /** Puts back what is left of a batch; how many rounds. */
  async restoreBatch(batch_ms: number): Promise<number> {
    const rows = await this.store.rounds.removedIn(batch_ms);
    return this.restore(rows.map(({ id }) => id));
  }

  /** Puts back removed rounds; how many. */
  async restore(ids: readonly string[]): Promise<number> {
    const removed = await this.store.rounds.removedAmong(ids);
    for (const id of removed) if (await this.store.rounds.restore(id)) this.queue.enqueue(id);
    const old = new Set(await this.store.rounds.withOldView());
    for (const id of removed) if (old.has(id)) this.queue.enqueue(id);
    return removed.length;
  }

  /**
   * Forgets what can no longer be put back, with what was found out about it and the files that nothing else refers to.
   * At the first call also what an earlier process had no time to forget.
   */
  async sweep(): Promise<void> {
    const { rounds, studies, unreferenced } = this.store;
    const digests = await rounds.sweep(Date.now() - GRACE_MS);
    if (digests.length > 0 || !this.isSwept)
      digests.push(...(await studies.sweep(await rounds.referenced())));
    this.isSwept = true;
    await unreferenced.letGo(digests);
  }
}
