import { createHash } from "node:crypto";
import { CHECKSUM_DIGITS, type Report, type ReportInput, type RoundFigures } from "../../contract/report.ts";
import type { OkClaim } from "./claim-ok.ts";
import { type KeptOutcome, keptOutcome, type RoundOutcome } from "./decide-round.ts";
import { bytesOf } from "./json-bytes.ts";
import { canonical, canonicalBlocks } from "./report-text.ts";
import { roundFigures, usedMicro } from "./round-figures.ts";
import { IS_ACCEPTED, verdictOf } from "./verdict.ts";

/** Who decided (§4). */
export const ENGINE = { name: "tenantthrottle", version: "0.1.0" } as const;

/** What the engine knows of its own result (§4): the decisions are counted again, not taken from the buckets. */
export function okClaim(outcome: KeptOutcome, figures: RoundFigures): OkClaim {
  const { buckets, columns, decisions, groups, order, unserved } = outcome;
  // By step: a field that is looked up by a text costs as much as all the rest.
  const ofStep = new Float64Array(IS_ACCEPTED.length);
  // Whole numbers below 2^53, carried over before they leave it: a big integer a request would take seconds.
  let costMicro = 0;
  let acceptedCostMicro = 0n;
  for (let place = 0; place < order.length; place++) {
    const step = decisions.step[groups.ofDispatched[place]!]!;
    ofStep[step]! += 1;
    if (IS_ACCEPTED[step] === 0) continue;
    costMicro += columns.costMicro[order[place]!]!;
    if (costMicro < Number.MAX_SAFE_INTEGER / 2) continue;
    acceptedCostMicro += BigInt(costMicro);
    costMicro = 0;
  }
  acceptedCostMicro += BigInt(costMicro);
  const counts = { accepted: 0, queued: 0, rejected: unserved.length };
  ofStep.forEach((decided, step) => {
    if (decided > 0) counts[verdictOf(step)] += decided;
  });
  let used = 0n;
  for (let bucket = 0; bucket < buckets.count; bucket++) used += usedMicro(buckets, bucket);
  const closing = Object.values(figures.per_tenant).map(({ closing_tokens }) => closing_tokens);
  return {
    requests: columns.count,
    decisions: order.length + unserved.length,
    ...counts,
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
}

/** A text that is hashed by somebody who reads it where it is written. */
export interface HashedText {
  /** So many bytes of it are written. */
  wrote(bytes: number): void;
  /** SHA-256 of what is written with something behind it, 64 hex digits. */
  sha256(end: string): Promise<string>;
  /** Nobody wants it any more. */
  abandon(): Promise<void>;
}

/** What ends the canonical text of the figures; in its place the file goes on with what else a report says. */
const END_OF_FIGURES = "}";

/** §4 `checksum` of a decided round. */
export function checksumOf(outcome: KeptOutcome, figures: RoundFigures): string {
  const hash = createHash("sha256");
  for (const block of canonicalBlocks(outcome, figures)) hash.update(block);
  return hash.update(END_OF_FIGURES).digest("hex").slice(0, CHECKSUM_DIGITS);
}

/** The report of a decided round (§4), whose checksum is known once its text was made. */
export class ReportWriter {
  private readonly outcome: KeptOutcome;
  private readonly figures: RoundFigures;
  private readonly rest: Omit<Report, keyof RoundFigures | "checksum">;
  private found: ReportDigests | null = null;

  constructor(outcome: RoundOutcome, input: ReportInput) {
    this.outcome = keptOutcome(outcome);
    this.figures = roundFigures(outcome);
    const ok = outcome.rules.claimOk(okClaim(outcome, this.figures));
    this.rest = { version: 1, engine: { ...ENGINE }, ok, input };
  }

  /**
   * The report's JSON text. A block stays as it is until the one after the next is asked for. The file begins with the
   * canonical text that the checksum covers: so it is made and hashed once.
   * @param onProgress told how many decisions about were written, of all
   */
  *blocks(onProgress: (decisions: number) => void = () => {}): Generator<Uint8Array> {
    const hash = createHash("sha256");
    let bytes = 0;
    for (const block of canonicalBlocks(this.outcome, this.figures, onProgress)) {
      hash.update(block);
      bytes += block.length;
      yield block;
    }
    yield this.end(hash.update(END_OF_FIGURES).digest("hex"), bytes);
  }

  /** The same where each block is in the file when the next is asked for, and `text` hashes it there. */
  async *blocksBeside(
    text: HashedText,
    onProgress: (decisions: number) => void = () => {},
  ): AsyncGenerator<Uint8Array> {
    let bytes = 0;
    try {
      for (const block of canonicalBlocks(this.outcome, this.figures, onProgress)) {
        yield block;
        bytes += block.length;
        text.wrote(bytes);
      }
      yield this.end(await text.sha256(END_OF_FIGURES), bytes);
    } finally {
      if (this.found === null) await text.abandon();
    }
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

  /** What the file says behind the figures, of which it has so many bytes. */
  private end(sha256: string, bytes: number): Uint8Array {
    const checksum = sha256.slice(0, CHECKSUM_DIGITS);
    this.found = { checksum, text_bytes: bytes + END_OF_FIGURES.length };
    return bytesOf(`,${canonical({ ...this.rest, checksum }).slice(1)}\n`);
  }
}

/** The report of a decided round (§4). */
export const writeReport = (outcome: RoundOutcome, input: ReportInput): Report =>
  new ReportWriter(outcome, input).report();
