import { setTimeout as pause } from "node:timers/promises";
import type { RoundProgress } from "../../contract/round-view.ts";
import type { BuiltService } from "./built-service.ts";

/** How often a browser reads a page again while a round runs. */
const EVERY_MS = 1000;
const OVER: readonly string[] = ["done", "refused", "failed", "cancelled"];

/** One look at a running round, and how long the answers took. */
export interface Look {
  at_ms: number;
  state: string;
  progress: RoundProgress | null;
  /** Milliseconds until the round's page was there, and the list of rounds. */
  page_ms: number;
  list_ms: number;
}

/** A while of a round by its name, in Unix milliseconds. */
export interface Stretch {
  name: string;
  from_ms: number;
  to_ms: number;
}

/** Looks at a round every second, as the page that shows it does, until it is over or `isEnough`. */
export async function watch(
  service: BuiltService,
  id: string,
  isEnough: (look: Look) => boolean = () => false,
): Promise<Look[]> {
  const looks: Look[] = [];
  for (;;) {
    const began_ms = Date.now();
    const [{ state, progress, took_ms }, list] = await Promise.all([
      service.round(id),
      service.get("/rounds"),
    ]);
    const look = { at_ms: Date.now(), state, progress, page_ms: took_ms, list_ms: list.took_ms };
    looks.push(look);
    if (OVER.includes(state) || isEnough(look)) return looks;
    await pause(Math.max(0, EVERY_MS - (Date.now() - began_ms)));
  }
}

/** The phases of a round by what it told of itself, from its beginning to its end; the last one is what the server does. */
export function stretches(looks: readonly Look[]): Stretch[] {
  const told = looks.findLast(({ progress }) => progress !== null);
  const last = looks.at(-1);
  if (told?.progress == null || last === undefined) return [];
  const { phase, started_at_ms, past } = told.progress;
  const found: Stretch[] = [{ name: phase, from_ms: started_at_ms, to_ms: told.at_ms }];
  for (const { phase: name, took_ms } of past.toReversed()) {
    const to_ms = found[0]!.from_ms;
    found.unshift({ name, from_ms: to_ms - took_ms, to_ms });
  }
  return [...found, { name: "keep", from_ms: told.at_ms, to_ms: last.at_ms }];
}

/** How true the progress of a phase was. */
export interface PhaseTruth {
  phase: string;
  looks: number;
  /** Looks at which it had gone back. */
  back: number;
  /** The longest time for which it told the same, in milliseconds. */
  still_ms: number;
  /** The most by which the part that was told and the part of the time that was over were apart; null where no total was told. */
  apart: number | null;
}

/** The truth of progress, phase by phase: beside the time that each phase took in the end. */
export function progressTruth(looks: readonly Look[]): PhaseTruth[] {
  return stretches(looks)
    .map(({ name, from_ms, to_ms }) => {
      const of = looks.filter(({ progress }) => progress?.phase === name);
      let [back, still_ms, since_ms, apart] = [0, 0, from_ms, null as number | null];
      of.forEach(({ at_ms, progress }, at) => {
        const { done, total } = progress!;
        const before = of[at - 1]?.progress;
        if (before == null || before.done !== done) since_ms = at_ms;
        if (before != null && done < before.done) back += 1;
        still_ms = Math.max(still_ms, at_ms - since_ms);
        if (total === null || total === 0) return;
        const over = Math.min(1, (at_ms - from_ms) / Math.max(1, to_ms - from_ms));
        apart = Math.max(apart ?? 0, Math.abs(done / total - over));
      });
      return { phase: name, looks: of.length, back, still_ms, apart };
    })
    .filter(({ looks: count }) => count > 0);
}
