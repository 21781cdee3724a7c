import type { Check, Expected, Place } from "../../health/check.ts";
import { CHECK_TABLE } from "../../health/check-table.ts";
import { places } from "../../health/compare-report.ts";
import { alongOrder } from "../../recheck/group-of-request.ts";
import { noiseFacts } from "../../recheck/noise-facts.ts";
import { placeRow } from "../../recheck/place-row.ts";
import { placeSource } from "../../store/view-rows.ts";
import type { RowSource } from "../../store/view-writer.ts";
import type { AuditedRound } from "./audit-round.ts";
import type { DecidedRound } from "./run-round.ts";

/** Places after which it is told how many were looked at. */
const TOLD_PLACES = 65_536;

/** What is kept of the places of a comparison. */
export interface Keeping {
  /** Also those that match; otherwise only the others. */
  matches: boolean;
  /** Of each check so many that do not match, the first. */
  differences: number;
}

type Round = Pick<
  DecidedRound | AuditedRound,
  "documents" | "report" | "contentChecksum" | "truth" | "recomputed"
>;

/**
 * The places of a comparison that are kept. What each check came to is known: where matches are not kept, a check without
 * a difference is not made again, and of one with many no more than is kept. So a comparison of ten million decisions, which
 * took longer than all other tables, is not made a second time.
 */
export class KeptPlaces {
  /** How many places are looked at, or passed over. */
  readonly total: number;
  private readonly round: Round;
  private readonly keeping: Keeping;
  private readonly table: readonly Check[];
  private readonly looked = new Map<string, number>();
  /** Where a check's differences begin among those of all checks. */
  private readonly first = new Map<string, number>();
  /** Of each check, how many that do not match were met. */
  private readonly met = new Map<string, number>();

  constructor(round: Round, keeping: Keeping) {
    this.round = round;
    this.keeping = keeping;
    let differing = 0;
    const open = new Set<string>();
    for (const { check, places: looked, mismatched, indeterminate } of round.truth.table) {
      this.looked.set(check, looked);
      this.first.set(check, differing);
      differing += mismatched + indeterminate;
      if (mismatched + indeterminate > 0) open.add(check);
    }
    const isAsked = ({ id }: Check) => keeping.matches || open.has(id);
    this.table = round.recomputed.ok
      ? CHECK_TABLE.filter(isAsked).map((check) => this.untilEnough(check))
      : [];
    this.total = this.table.reduce((sum, { id }) => sum + (this.looked.get(id) ?? 0), 0);
  }

  /** @param onLooked told how many places were looked at or passed over so far */
  source(onLooked: (places: number) => void): RowSource<"places"> {
    const { recomputed, documents, report, contentChecksum } = this.round;
    if (!recomputed.ok) return placeSource([]);
    const { figures, groups } = recomputed.reference;
    const facts = noiseFacts(documents.policy, figures, alongOrder(figures.dispatch_order, groups));
    const found = this.told(report, { ...recomputed.expected, contentChecksum }, onLooked);
    const rows = function* (kept: Iterable<[Place, number]>) {
      for (const [place, position] of kept) yield placeRow(place, position, facts);
    };
    return placeSource(rows(this.kept(found)));
  }

  /** A check that stops once all that is kept of it was found. */
  private untilEnough(check: Check): Check {
    if (this.keeping.matches) return check;
    const isEnough = () => this.met.get(check.id) === this.keeping.differences;
    return {
      ...check,
      *findings(report, expected, isBrief) {
        for (const finding of check.findings(report, expected, isBrief)) {
          yield finding;
          if (isEnough()) return;
        }
      },
    };
  }

  private *told(report: unknown, expected: Expected, onLooked: (places: number) => void): Generator<Place> {
    let [check, before, within] = ["", 0, 0];
    for (const place of places(report, expected, this.table)) {
      if (place.check !== check) {
        before += this.looked.get(check) ?? 0;
        [check, within] = [place.check, 0];
      }
      within += 1;
      if (within % TOLD_PLACES === 0) onLooked(before + within);
      yield place;
    }
    onLooked(this.total);
  }

  /** What is kept, with its position. Those that are not kept have one too: it is the same for whoever compares again. */
  private *kept(found: Iterable<Place>): Generator<[Place, number]> {
    const { matches, differences } = this.keeping;
    let at = 0;
    for (const place of found) {
      const { check, result } = place;
      const met = this.met.get(check) ?? 0;
      const position = matches ? at++ : this.first.get(check)! + met;
      if (result === "match") {
        if (matches) yield [place, position];
        continue;
      }
      this.met.set(check, met + 1);
      if (met < differences) yield [place, position];
    }
  }
}
