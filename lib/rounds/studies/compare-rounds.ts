import { isDeepStrictEqual } from "node:util";
import type { z } from "zod";
import type {
  ChangeKind,
  ChangeRow,
  Comparison,
  SideDecision,
  SideTenant,
  TenantChange,
} from "../../../contract/comparison.ts";
import { type Decision, decisionSchema, type RoundFigures, reportSchema } from "../../../contract/report.ts";
import { isRows } from "../../../contract/rows.ts";
import { VERDICTS } from "../../../contract/verdicts.ts";
import { compareDocuments } from "./compare-documents.ts";
import { DecisionsById } from "./decisions-by-id.ts";

/** A report that is compared: the figures of §4, as far as a comparison needs them. */
export type ComparedReport = Pick<RoundFigures, "counts" | "totals" | "per_tenant" | "decisions">;

/** One side: its report, and what it was decided from where that is known. */
export interface ComparedSide {
  report: ComparedReport;
  contract: string | null;
  policy: string | null;
  stream_sha256: string | null;
}

/** What comparing came to: the sum of it, and every tenant that differs. */
export interface RoundComparison {
  comparison: Comparison;
  tenants: TenantChange[];
}

const figuresSchema = reportSchema.pick({ counts: true, totals: true, per_tenant: true }).loose();

type ReadResult = { ok: true; report: ComparedReport } | { ok: false; message: string };

const unreadable = (path: readonly PropertyKey[], { issues }: z.ZodError): ReadResult => {
  const [issue] = issues;
  return {
    ok: false,
    message: `${[...path, ...(issue?.path ?? [])].join(".")}: ${issue?.message ?? "is no report"}`,
  };
};

/** A report's figures from JSON of whatever shape, its rows packed or not; a text says what it lacks. */
export function readCompared(value: unknown): ReadResult {
  const figures = figuresSchema.safeParse(value);
  if (!figures.success) return unreadable([], figures.error);
  // As it was read, not as it was parsed: a name such as __proto__ stays a key of its own.
  const { counts, totals, per_tenant, decisions } = value as ComparedReport;
  if (!isRows(decisions)) return { ok: false, message: "decisions: is no list" };
  for (let place = 0; place < decisions.length; place++) {
    const row = decisionSchema.safeParse(decisions.at(place));
    if (!row.success) return unreadable(["decisions", place], row.error);
  }
  return { ok: true, report: { counts, totals, per_tenant, decisions } };
}

const sideOf = ({ verdict, reason, wait_ms, reserve_breached }: Decision): SideDecision => ({
  verdict,
  reason,
  wait_ms,
  reserve_breached,
});

function kindOf(a: SideDecision | null, b: SideDecision | null): ChangeKind | null {
  if (a === null) return "only_b";
  if (b === null) return "only_a";
  if (a.verdict !== b.verdict) return "flip";
  return a.reason === b.reason && a.wait_ms === b.wait_ms && a.reserve_breached === b.reserve_breached
    ? null
    : "detail";
}

/** Every request of both sides, those of A in its order first, then those that only B has. */
function* pairs(a: ComparedReport, b: ComparedReport): Generator<[Decision | null, Decision | null]> {
  const ofB = new DecisionsById(b.decisions);
  for (const decision of a.decisions) yield [decision, ofB.take(decision.req_id)];
  for (const decision of ofB.rest()) yield [null, decision];
}

const tenantOf = (report: ComparedReport, tenant: string): SideTenant | null => {
  if (!Object.hasOwn(report.per_tenant, tenant)) return null;
  const { used, accepted, queued, rejected, reserve_breached } = report.per_tenant[tenant]!;
  return { used, accepted, queued, rejected, reserve_breached };
};

/** Tallies by tenant, of every tenant that either side names. */
class TenantTally {
  private readonly rows = new Map<string, TenantChange>();
  private readonly a: ComparedReport;
  private readonly b: ComparedReport;

  constructor(a: ComparedReport, b: ComparedReport) {
    this.a = a;
    this.b = b;
    for (const { per_tenant } of [a, b]) for (const tenant of Object.keys(per_tenant)) this.row(tenant);
  }

  add(tenant: string, kind: ChangeKind, a: SideDecision | null, b: SideDecision | null): void {
    const row = this.row(tenant);
    if (kind === "detail") row.details += 1;
    else if (kind === "flip") {
      row.flips += 1;
      if (b?.verdict === "accepted") row.gained += 1;
      if (a?.verdict === "accepted") row.lost += 1;
    } else row.one_sided += 1;
  }

  /** Tenants with anything that differs. */
  changed(): TenantChange[] {
    return [...this.rows.values()].filter(
      ({ a, b, flips, one_sided, details }) => flips + one_sided + details > 0 || !isDeepStrictEqual(a, b),
    );
  }

  private row(tenant: string): TenantChange {
    const known = this.rows.get(tenant);
    if (known !== undefined) return known;
    const sides = { a: tenantOf(this.a, tenant), b: tenantOf(this.b, tenant) };
    const row = { tenant, ...sides, gained: 0, lost: 0, flips: 0, one_sided: 0, details: 0 };
    this.rows.set(tenant, row);
    return row;
  }
}

/**
 * What differs between two rounds: requests that flip, both ways, tenant by tenant, and the figures.
 * @param onChange told of every request that differs, in order: there may be as many as requests
 */
export function compareRounds(
  a: ComparedSide,
  b: ComparedSide,
  onChange: (change: ChangeRow) => void,
): RoundComparison {
  let position = 0;
  const breaches = { a: 0, b: 0 };
  const tally = new TenantTally(a.report, b.report);
  const kinds: Record<ChangeKind, number> = { flip: 0, detail: 0, only_a: 0, only_b: 0 };
  const verdicts = VERDICTS.flatMap((of_a) => VERDICTS.map((of_b) => ({ a: of_a, b: of_b, count: 0 })));
  for (const [ofA, ofB] of pairs(a.report, b.report)) {
    const [sideA, sideB] = [ofA && sideOf(ofA), ofB && sideOf(ofB)];
    breaches.a += Number(sideA?.reserve_breached ?? false);
    breaches.b += Number(sideB?.reserve_breached ?? false);
    if (sideA !== null && sideB !== null)
      verdicts[VERDICTS.indexOf(sideA.verdict) * VERDICTS.length + VERDICTS.indexOf(sideB.verdict)]!.count +=
        1;
    const kind = kindOf(sideA, sideB);
    if (kind === null) continue;
    const { req_id, tenant } = (ofA ?? ofB)!;
    kinds[kind] += 1;
    tally.add(tenant, kind, sideA, sideB);
    onChange({ position: position++, req_id, tenant, kind, a: sideA, b: sideB });
  }
  const { report: reportA } = a;
  const { report: reportB } = b;
  const tenants = tally.changed();
  const sameFigures =
    isDeepStrictEqual(reportA.counts, reportB.counts) &&
    isDeepStrictEqual(reportA.totals, reportB.totals) &&
    // Prototypes are no figures: one side may come from a parser, the other from the engine.
    isDeepStrictEqual(
      Object.entries(reportA.per_tenant).sort(byName),
      Object.entries(reportB.per_tenant).sort(byName),
    );
  return {
    tenants,
    comparison: {
      contract: compareDocuments(a.contract, b.contract, "contract"),
      policy: compareDocuments(a.policy, b.policy, "policy"),
      stream: { a: a.stream_sha256, b: b.stream_sha256 },
      counts: { a: reportA.counts, b: reportB.counts },
      totals: { a: reportA.totals, b: reportB.totals },
      breaches,
      requests: { a: reportA.decisions.length, b: reportB.decisions.length },
      verdicts,
      flips: kinds.flip,
      details: kinds.detail,
      only_a: kinds.only_a,
      only_b: kinds.only_b,
      same: position === 0 && sameFigures,
    },
  };
}

const byName = ([a]: [string, unknown], [b]: [string, unknown]): number => (a < b ? -1 : a > b ? 1 : 0);
