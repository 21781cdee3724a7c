import type { Report, ReportInput, RoundFigures } from "../../contract/report.ts";
import { checksumOf } from "./checksum.ts";
import type { OkClaim } from "./claim-ok.ts";
import type { RoundOutcome } from "./decide-round.ts";
import { roundFigures, usedMicro } from "./round-figures.ts";

/** Who decided (§4). */
export const ENGINE = { name: "tenantthrottle", version: "0.1.0" } as const;

/** What the engine knows of its own result (§4): the decisions are counted again, not taken from the buckets. */
export function okClaim(outcome: RoundOutcome, figures: RoundFigures): OkClaim {
  const { buckets, columns, groups, order } = outcome;
  let acceptedCostMicro = 0n;
  for (let place = 0; place < order.length; place++)
    if (outcome.decisions.step[groups.ofDispatched[place]!]! <= 2)
      acceptedCostMicro += BigInt(columns.costMicro[order[place]!]!);
  let used = 0n;
  for (let bucket = 0; bucket < buckets.count; bucket++) used += usedMicro(buckets, bucket);
  const closing = Object.values(figures.per_tenant).map(({ closing_tokens }) => closing_tokens);
  return {
    requests: columns.count,
    decisions: figures.decisions.length,
    accepted: figures.decisions.filter(({ verdict }) => verdict === "accepted").length,
    queued: figures.decisions.filter(({ verdict }) => verdict === "queued").length,
    rejected: figures.counts.rejected,
    lowest_balance: closing.reduce((lowest, tokens) => Math.min(lowest, tokens), 0),
    usedMicro: used,
    acceptedCostMicro,
  };
}

/** The report of a decided round (§4). */
export function writeReport(outcome: RoundOutcome, input: ReportInput): Report {
  const figures = roundFigures(outcome);
  return {
    version: 1,
    engine: { ...ENGINE },
    ok: outcome.rules.claimOk(okClaim(outcome, figures)),
    ...figures,
    input,
    checksum: checksumOf(figures),
  };
}

const BATCH = 2048;

function* arrayChunks(rows: readonly unknown[]): Generator<string> {
  yield "[";
  for (let start = 0; start < rows.length; start += BATCH) {
    const batch = rows
      .slice(start, start + BATCH)
      .map((row) => `\n${JSON.stringify(row)}`)
      .join(",");
    yield start === 0 ? batch : `,${batch}`;
  }
  yield "\n]";
}

function* tenantChunks(tenants: Report["per_tenant"]): Generator<string> {
  let lead = "{";
  for (const name of Object.keys(tenants)) {
    yield `${lead}\n${JSON.stringify(name)}:${JSON.stringify(tenants[name])}`;
    lead = ",";
  }
  yield lead === "{" ? "{}" : "\n}";
}

/** The report's JSON text in pieces, so that a million decisions or tenants never need one string. */
export function* reportChunks(report: Report): Generator<string> {
  const { per_tenant, dispatch_order, decisions, ...rest } = report;
  const head = JSON.stringify(rest);
  yield `${head.slice(0, -1)},\n"per_tenant":`;
  yield* tenantChunks(per_tenant);
  yield ',\n"dispatch_order":';
  yield* arrayChunks(dispatch_order);
  yield ',\n"decisions":';
  yield* arrayChunks(decisions);
  yield "}\n";
}
