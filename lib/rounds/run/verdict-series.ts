import type { RequestColumns } from "../../../contract/request.ts";
import type { VerdictSeries } from "../../../contract/round-view.ts";
import type { Verdict } from "../../../contract/verdicts.ts";

/** Most bins a series has: about as many as a chart can show apart. */
const BINS = 120;
/** Bin widths people can read off an axis, in milliseconds. */
const WIDTHS_MS = [
  1, 2, 5, 10, 20, 50, 100, 200, 250, 500, 1000, 2000, 5000, 10_000, 15_000, 30_000, 60_000, 120_000, 300_000,
  600_000, 900_000, 1_800_000, 3_600_000, 7_200_000, 21_600_000, 43_200_000, 86_400_000, 604_800_000,
];

/** Latest arrival minus earliest, in milliseconds; 0 for an empty stream. */
export function arrivalSpan({ count, arrivalMs }: RequestColumns): number {
  if (count === 0) return 0;
  let first = Number.POSITIVE_INFINITY;
  let last = 0;
  for (const arrival of arrivalMs) {
    first = Math.min(first, arrival);
    last = Math.max(last, arrival);
  }
  return last - first;
}

/** Counts verdicts over time in bins of a round width. `arrivals` and `verdicts` run in step. */
export function verdictSeries(
  count: number,
  arrival_ms: (index: number) => number,
  verdict: (index: number) => Verdict,
): VerdictSeries {
  let first = Number.POSITIVE_INFINITY;
  let last = 0;
  for (let index = 0; index < count; index++) {
    first = Math.min(first, arrival_ms(index));
    last = Math.max(last, arrival_ms(index));
  }
  if (count === 0) return { start_ms: 0, width_ms: 1, accepted: [], queued: [], rejected: [] };
  const span = last - first + 1;
  const width_ms = WIDTHS_MS.find((width) => span / width <= BINS) ?? Math.ceil(span / BINS);
  const start_ms = Math.floor(first / width_ms) * width_ms;
  const bins = Math.floor((last - start_ms) / width_ms) + 1;
  const empty = () => new Array<number>(bins).fill(0);
  const series = { start_ms, width_ms, accepted: empty(), queued: empty(), rejected: empty() };
  for (let index = 0; index < count; index++) {
    const bin = Math.floor((arrival_ms(index) - start_ms) / width_ms);
    series[verdict(index)][bin]! += 1;
  }
  return series;
}
