import type { Contract } from "../../contract/contract.ts";
import type { GroupRow } from "../../contract/group.ts";
import type { Policy } from "../../contract/policy.ts";
import type { Held, RoundFigures } from "../../contract/report.ts";
import type { Reading, SkippedLines } from "../../contract/request.ts";
import type { Opening } from "../../contract/start-states.ts";
import { BucketBook } from "./bucket.ts";
import { checksum, type Hasher } from "./canonical-json.ts";
import { byArrival, byDispatch, formGroups, type ServedRow } from "./dispatch.ts";
import { figuresOf, tokensOf, type UnservedRow } from "./figures.ts";
import { policyOpened } from "./opening.ts";
import type { RequestRow } from "./request-line.ts";
import { balanceOf, decide, type Group, refill, waitOf } from "./rules.ts";
import { readRows } from "./stream.ts";

export interface Recomputation {
  /** Validated (§1.1). */
  contract: Contract;
  /** Validated against the contract (§1.2). */
  policy: Policy;
  /** The bytes of the canonical stream (§1.3), in chunks of any size. */
  stream: AsyncIterable<Uint8Array>;
  reading: Reading;
  sha256: () => Hasher;
  /** Keep each group's arithmetic; or only that of groups whose members are asked for. */
  trace?: boolean | ((req_ids: readonly string[]) => boolean);
  /** How full every bucket is where the round begins; absent: as the policy states. */
  opening?: Opening;
  /** Told how many requests were read or decided so far. */
  onProgress?: (requests: number) => void;
}

/** What the reference found; or, in strict reading, the lines for which the stream is refused (§1.3). */
export type ReferenceResult =
  | {
      ok: true;
      figures: Held<RoundFigures>;
      checksum: string;
      requests: number;
      skipped: SkippedLines;
      stream_sha256: string;
      /** In the order of decision; empty unless a trace was asked for. */
      groups: GroupRow[];
    }
  | { ok: false; skipped: SkippedLines };

/** Passes chunks on and hashes them on the way. */
async function* hashed(stream: AsyncIterable<Uint8Array>, hasher: Hasher): AsyncGenerator<Uint8Array> {
  for await (const chunk of stream) {
    hasher.update(chunk);
    yield chunk;
  }
}

/** §3.6: who is served, and why the others are not. */
function divide(
  rows: readonly RequestRow[],
  book: BucketBook,
): { served: ServedRow[]; unserved: UnservedRow[] } {
  const served: ServedRow[] = [];
  const unserved: UnservedRow[] = [];
  for (const row of rows) {
    const bucket = book.find(row.tenant);
    if (typeof bucket === "string") unserved.push({ row, reason: bucket });
    else served.push({ row, bucket });
  }
  return { served, unserved };
}

/** Decides one group, and lays its arithmetic open. */
function decideInTheOpen(group: Group, position: number, grace_ms: number): GroupRow {
  const { bucket, time_ms, required, members } = group;
  const before = bucket.signed;
  const wait_ms = balanceOf(bucket) >= required ? 0 : waitOf(group);
  const found = decide(group, grace_ms);
  return {
    position,
    tenant: bucket.tenant,
    tier: bucket.tier,
    time_ms,
    signed_balance: tokensOf(before, bucket),
    signed_after: tokensOf(bucket.signed, bucket),
    required: tokensOf(required, bucket),
    wait_ms,
    step: found.step,
    verdict: found.verdict,
    reason: found.reason,
    reserve_breached: found.reserve_breached,
    req_ids: members,
  };
}

/**
 * Recomputes a round from contract, policy and stream (§3), exactly and row by row. Shares nothing with the engine but
 * the contract's types (§5.1). Errors of the stream itself are the caller's; bad lines are in the result.
 */
export async function recompute(input: Recomputation): Promise<ReferenceResult> {
  const { contract, policy, reading, sha256, trace = false, onProgress = () => {} } = input;
  const streamHash = sha256();
  const { rows, skipped } = await readRows(hashed(input.stream, streamHash), onProgress);
  if (reading === "strict" && skipped.count > 0) return { ok: false, skipped };

  const book = new BucketBook(contract, policyOpened(policy, input.opening));
  const { served, unserved } = divide(rows, book);
  served.sort(byDispatch);
  unserved.sort((a, b) => byArrival(a.row, b.row));
  const { groups, ofRow } = formGroups(served, contract);

  const groupRows: GroupRow[] = [];
  groups.forEach((group, position) => {
    refill(group.bucket, group.time_ms, contract);
    const isTraced = typeof trace === "boolean" ? trace : trace(group.members);
    if (isTraced) groupRows.push(decideInTheOpen(group, position, contract.grace_ms));
    else decide(group, contract.grace_ms);
  });
  onProgress(rows.length);

  const figures = figuresOf(book.buckets, served, ofRow, unserved);
  return {
    ok: true,
    figures,
    checksum: checksum(figures, sha256()),
    requests: rows.length,
    skipped,
    stream_sha256: streamHash.hex(),
    groups: groupRows,
  };
}
