import { createHash } from "node:crypto";
import { CHECKSUM_DIGITS, type Report, type ReportInput, type RoundFigures } from "../../contract/report.ts";
import type { OkClaim } from "./claim-ok.ts";
import type { RoundOutcome } from "./decide-round.ts";
import { bytesOf } from "./json-bytes.ts";
import { canonical, canonicalBlocks } from "./report-text.ts";
import { roundFigures, usedMicro } from "./round-figures.ts";
import { verdictOf } from "./verdict.ts";

/** Who decided (§4). */
export const ENGINE = { name: "tenantthrottle", version: "0.1.0" } as const;

/** What the engine knows of its own result (§4): the decisions are counted again, not taken from the buckets. */
export function okClaim(outcome: RoundOutcome, figures: RoundFigures): OkClaim {
  const { buckets, columns, decisions, groups, order, unserved } = outcome;
  let accepted = 0;
  let queued = 0;
  let rejected = unserved.length;
  // Whole numbers below 2^53, carried over before they leave it: a big integer a request would take seconds.
  let costMicro = 0;
  let acceptedCostMicro = 0n;
  for (let place = 0; place < order.length; place++) {
    const verdict = verdictOf(decisions.step[groups.ofDispatched[place]!]!);
    if (verdict === "queued") queued += 1;
    if (verdict === "rejected") rejected += 1;
    if (verdict !== "accepted") continue;
    accepted += 1;
    costMicro += columns.costMicro[order[place]!]!;
    if (costMicro < Number.MAX_SAFE_INTEGER / 2) continue;
    acceptedCostMicro += BigInt(costMicro);
    costMicro = 0;
  }
  acceptedCostMicro += BigInt(costMicro);
  let used = 0n;
  for (let bucket = 0; bucket < buckets.count; bucket++) used += usedMicro(buckets, bucket);
  const closing = Object.values(figures.per_tenant).map(({ closing_tokens }) => closing_tokens);
  return {
    requests: columns.count,
    decisions: order.length + unserved.length,
    accepted,
    queued,
    rejected,
    lowest_balance: closing.reduce((lowest, tokens) => Math.min(lowest, tokens), 0),
    usedMicro: used,
    acceptedCostMicro,
  };
}

/** What a written report is known by. */
export interface ReportDigests {
  /** §4 `checksum`: 16 hex digits over the canonical text of the figures. */
  checksum: string;
  /** Of that text, with which the file begins. */
  text_bytes: number;
  /** Of the file, 64 hex digits. */
  sha256: string;
  bytes: number;
}

/**
 * The text of a report (§4) in blocks, each of which stays as it is until the one after the next is asked for; at last
 * its digests. The file begins with the canonical text that the checksum covers: so it is written and hashed once.
 */
function* reportBlocks(
  outcome: RoundOutcome,
  figures: RoundFigures,
  rest: Omit<Report, keyof RoundFigures | "checksum">,
  onProgress: (decisions: number) => void,
): Generator<Uint8Array, ReportDigests> {
  const hash = createHash("sha256");
  let bytes = 0;
  for (const block of canonicalBlocks(outcome, figures, onProgress)) {
    hash.update(block);
    bytes += block.length;
    yield block;
  }
  const checksum = hash.copy().update("}").digest("hex").slice(0, CHECKSUM_DIGITS);
  const tail = bytesOf(`,${canonical({ ...rest, checksum }).slice(1)}\n`);
  hash.update(tail);
  yield tail;
  // The brace that ends the figures' text is not in the file.
  const text_bytes = bytes + 1;
  return { checksum, text_bytes, sha256: hash.digest("hex"), bytes: bytes + tail.length };
}

/** §4 `checksum` of a decided round. */
export function checksumOf(outcome: RoundOutcome, figures: RoundFigures): string {
  const hash = createHash("sha256");
  for (const block of canonicalBlocks(outcome, figures)) hash.update(block);
  return hash.update("}").digest("hex").slice(0, CHECKSUM_DIGITS);
}

/** The report of a decided round (§4), whose checksum is known once its text was made. */
export class ReportWriter {
  private readonly outcome: RoundOutcome;
  private readonly figures: RoundFigures;
  private readonly rest: Omit<Report, keyof RoundFigures | "checksum">;
  private found: ReportDigests | null = null;

  constructor(outcome: RoundOutcome, input: ReportInput) {
    this.outcome = outcome;
    this.figures = roundFigures(outcome);
    const ok = outcome.rules.claimOk(okClaim(outcome, this.figures));
    this.rest = { version: 1, engine: { ...ENGINE }, ok, input };
  }

  /**
   * The report's JSON text. A block stays as it is until the one after the next is asked for.
   * @param onProgress told how many decisions about were written, of all
   */
  *blocks(onProgress: (decisions: number) => void = () => {}): Generator<Uint8Array> {
    this.found = yield* reportBlocks(this.outcome, this.figures, this.rest, onProgress);
  }

  /** Digests of the text; made now where nobody has asked for it yet. */
  digests(): ReportDigests {
    if (this.found === null) for (const _ of this.blocks());
    return this.found!;
  }

  /** The report itself; its rows are made when they are asked for. */
  report(): Report {
    return { ...this.rest, ...this.figures, checksum: this.digests().checksum };
  }
}

/** The report of a decided round (§4). */
export const writeReport = (outcome: RoundOutcome, input: ReportInput): Report =>
  new ReportWriter(outcome, input).report();
