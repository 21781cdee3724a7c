import { ARRIVAL_MAX_MS } from "../../../contract/limits.ts";
import type { ArrivalSpread } from "../../../contract/mapping.ts";
import { type Instant, isBefore } from "./imported-line.ts";
import { isoText } from "./stamp.ts";

const DAY_MS = 86_400_000;
/** Whole days that lie within a round, whenever on the first of them it begins. */
const ROUND_DAYS = ARRIVAL_MAX_MS / DAY_MS;
/** Days that are told apart; stamps that are spread wider have no stretch worth proposing. */
const DAYS_MAX = 100_000;

/** A day with requests: how many, and the earliest moment of them. */
interface Day {
  count: number;
  first: Instant;
}

/** Where in time the requests of a log lie, by days: where they are too far apart for a round, which stretch holds most. */
export class ArrivalDays {
  first: { at: Instant; line: number } | null = null;
  last: Instant | null = null;
  private readonly days = new Map<number, Day>();
  /** The day of the request before: most are of one day. */
  private recent: { number: number; day: Day } | null = null;

  add(at: Instant, line: number): void {
    if (this.first === null || isBefore(at, this.first.at)) this.first = { at, line };
    if (this.last === null || !isBefore(at, this.last)) this.last = at;
    const number = Math.floor(at.ms / DAY_MS);
    const day = this.recent?.number === number ? this.recent.day : this.dayOf(number, at);
    if (day === null) return;
    day.count += 1;
    if (isBefore(at, day.first)) day.first = at;
  }

  /**
   * The earliest arrival, and the stretch of a round's length that holds most requests, the latest of several.
   * @param beyond requests that arrived too long after the earliest (§1.3)
   */
  spread(beyond: number): ArrivalSpread | null {
    if (this.first === null) return null;
    const { at, line } = this.first;
    return { earliest: isoText(at), line, beyond, stretch: this.stretch() };
  }

  private dayOf(number: number, at: Instant): Day | null {
    const known = this.days.get(number);
    if (known === undefined && this.days.size === DAYS_MAX) return null;
    const day = known ?? { count: 0, first: at };
    this.days.set(number, day);
    this.recent = { number, day };
    return day;
  }

  private stretch(): ArrivalSpread["stretch"] {
    if (this.days.size === DAYS_MAX) return null;
    const days = [...this.days].sort(([a], [b]) => a - b);
    let best: { from: Instant; requests: number } | null = null;
    let requests = 0;
    for (let start = 0, end = 0; start < days.length; start++) {
      const [number, { count, first }] = days[start]!;
      while (end < days.length && days[end]![0] < number + ROUND_DAYS) requests += days[end++]![1].count;
      if (best === null || requests >= best.requests) best = { from: first, requests };
      requests -= count;
    }
    return best === null ? null : { from: shortText(best.from), requests: best.requests };
  }
}

/** A stamp without the zeros at the end of its fraction: it is to be typed. */
const shortText = (at: Instant): string => isoText(at).replace(/\.?0+Z$/, "Z");
