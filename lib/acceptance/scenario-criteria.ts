import type { AcceptanceCriterion, Finding } from "./criterion.ts";
import { firstFault, unequal } from "./criterion.ts";
import { NO_REQUEST } from "./request-index.ts";

/** The figures of the scenario as the text of §7 states them. */
const COUNTS = { accepted: 9, queued: 4, rejected: 4, reserve_breached: 1 };
const TOTALS = { capacity: 38, used: 37, over_capacity: 0 };
const WAIT = { req_id: "req-0013", wait_ms: 550 };
const DISPATCH_START = ["req-0001", "req-0005", "req-0009", "req-0013"];

const sameFigures = (reported: Record<string, number> | null, known: Record<string, number>): Finding =>
  reported === null
    ? undefined
    : firstFault(Object.entries(known), ([field, value]) => unequal(field, reported[field], value));

/** What is known beforehand of the scenario (§7). */
export const scenarioCriteria: AcceptanceCriterion[] = [
  {
    id: "scenario.counts",
    group: "scenario",
    clause: "§7",
    title: "The scenario's counts",
    judge: ({ counts }) => sameFigures(counts, COUNTS),
  },
  {
    id: "scenario.totals",
    group: "scenario",
    clause: "§7",
    title: "The scenario's totals",
    judge: ({ totals }) => sameFigures(totals, TOTALS),
  },
  {
    id: "scenario.wait",
    group: "scenario",
    clause: "§7",
    title: "The scenario's wait, to the millisecond",
    judge: ({ rows, index }) => {
      if (rows === null) return undefined;
      const request = index.find(WAIT.req_id);
      const place = request === NO_REQUEST ? -1 : rows.placeOf[request]!;
      return unequal(`wait of ${WAIT.req_id}`, place < 0 ? undefined : rows.waitAt(place), WAIT.wait_ms);
    },
  },
  {
    id: "scenario.dispatch",
    group: "scenario",
    clause: "§7",
    title: "The start of the scenario's dispatch",
    judge: ({ dispatch }) =>
      dispatch === null
        ? undefined
        : firstFault(DISPATCH_START.entries(), ([place, id]) =>
            unequal(`dispatch ${place}`, dispatch.ids.at(place), id),
          ),
  },
];
