import type { ListedRequest } from "./request-list.ts";

/** Where shrinking stops early: what was found until then is the answer, and says that it may not be the smallest. */
export interface ShrinkBounds {
  /** Times that the predicate may be asked. */
  trials?: number;
  /** Time after which no further trial begins, milliseconds. */
  time_ms?: number;
  /** Where set, requests are not only left out, but made plainer: rounder costs, earlier arrivals. */
  plainer?: boolean;
}

/** What shrinking came to. */
export interface ShrunkStream {
  requests: ListedRequest[];
  /** Times that the predicate was asked. */
  trials: number;
  /** No single request can be left out. False where a bound was met before that was known. */
  is_minimal: boolean;
}

const TRIALS = 2000;
const TIME_MS = 20_000;

/** Asks a predicate within bounds; once a bound is met every answer is no. */
class Asking {
  trials = 0;
  isOver = false;
  private readonly stillShows: (requests: ListedRequest[]) => boolean;
  private readonly most: number;
  private readonly end_ms: number;

  constructor(stillShows: (requests: ListedRequest[]) => boolean, bounds: ShrinkBounds) {
    this.stillShows = stillShows;
    this.most = bounds.trials ?? TRIALS;
    this.end_ms = performance.now() + (bounds.time_ms ?? TIME_MS);
  }

  shows(requests: ListedRequest[]): boolean {
    if (this.trials >= this.most || performance.now() > this.end_ms) this.isOver = true;
    if (this.isOver) return false;
    this.trials += 1;
    return this.stillShows(requests);
  }
}

/** One part of `parts`, or all but it, that still shows; null where none does. */
function smallerPart(requests: ListedRequest[], parts: number, asking: Asking): ListedRequest[] | null {
  const size = Math.ceil(requests.length / parts);
  // The latest part is left out first: what comes after the finding is seldom needed for it.
  for (let start = (parts - 1) * size; start >= 0; start -= size) {
    const rest = [...requests.slice(0, start), ...requests.slice(start + size)];
    if (rest.length < requests.length && asking.shows(rest)) return rest;
  }
  return null;
}

/** Delta debugging: leaves out ever smaller parts while what is left still shows, down to single requests. */
function fewer(requests: ListedRequest[], asking: Asking): ListedRequest[] {
  let parts = Math.min(2, requests.length);
  while (requests.length > 0 && !asking.isOver) {
    const smaller = smallerPart(requests, parts, asking);
    if (smaller !== null) {
      requests = smaller;
      parts = Math.min(Math.max(parts - 1, 2), requests.length);
    } else if (parts >= requests.length) break;
    else parts = Math.min(parts * 2, requests.length);
  }
  return requests;
}

const MICRO = 1_000_000;

const wholeTokens = (micro: number): number => Math.max(micro, 1) * MICRO;

/** Ways to make a request plainer, the plainest of each value first. */
const PLAINER: readonly ((request: ListedRequest) => ListedRequest)[] = [
  (request) => ({ ...request, cost_micro: MICRO }),
  (request) => ({ ...request, cost_micro: wholeTokens(Math.floor(request.cost_micro / MICRO)) }),
  (request) => ({ ...request, cost_micro: wholeTokens(Math.ceil(request.cost_micro / MICRO)) }),
  ...[Number.MAX_SAFE_INTEGER, 60_000, 1000, 100].map((width_ms) => (request: ListedRequest) => ({
    ...request,
    arrival_ms: Math.floor(request.arrival_ms / width_ms) * width_ms,
  })),
  (request) => ({ ...request, mode: "soft" }),
];

const isSame = (a: ListedRequest, b: ListedRequest): boolean =>
  a.cost_micro === b.cost_micro && a.arrival_ms === b.arrival_ms && a.mode === b.mode;

/** Each request as plain as it can be while the stream still shows. */
function plain(requests: ListedRequest[], asking: Asking): ListedRequest[] {
  for (let at = 0; at < requests.length && !asking.isOver; at++)
    for (const plainer of PLAINER) {
      const tried = plainer(requests[at]!);
      if (isSame(tried, requests[at]!)) continue;
      const stream = requests.with(at, tried);
      if (asking.shows(stream)) requests = stream;
    }
  return requests;
}

/**
 * The smallest part of a stream that still shows something, found by leaving out ever smaller parts of it.
 * Lines keep their order. A bound that is met ends the search with what was found until then.
 * @param stillShows whether requests, in the order of lines, still show it; a pure function of them
 * @throws where the whole stream does not show it
 */
export function shrinkStream(
  requests: readonly ListedRequest[],
  stillShows: (requests: ListedRequest[]) => boolean,
  bounds: ShrinkBounds = {},
): ShrunkStream {
  if (!stillShows([...requests])) throw new Error("the whole stream does not show what it is shrunk for");
  const asking = new Asking(stillShows, bounds);
  let smallest = fewer([...requests], asking);
  if (bounds.plainer === true) {
    // What is plainer may need fewer requests again.
    smallest = fewer(plain(smallest, asking), asking);
  }
  return { requests: smallest, trials: asking.trials + 1, is_minimal: !asking.isOver };
}
