import type { Contract } from "../../contract/contract.ts";
import type { Policy } from "../../contract/policy.ts";
import type { Reading, SkippedLines } from "../../contract/request.ts";
import type { Opening } from "../../contract/start-states.ts";
import { type Assistant, isToldSooner } from "./assistant.ts";
import { type Bucket, BucketBook, type Unserved } from "./bucket.ts";
import type { Hasher } from "./canonical-json.ts";
import type { Decided } from "./decided.ts";
import { type Demands, formGroups, sortByArrival, sortForDispatch } from "./dispatch.ts";
import { summaryOf } from "./figures.ts";
import { emptyTrace, GroupTrace, memberIds, type PackedTrace } from "./group-trace.ts";
import { policyOpened } from "./opening.ts";
import { type OpenedRound, openRound, type PackedRound, packRound, roundText } from "./packed-round.ts";
import type { RowTable } from "./row-table.ts";
import { decide, refill } from "./rules.ts";
import { readRows } from "./stream.ts";
import { VerdictTable } from "./verdicts.ts";

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
  /** Does some of the work meanwhile; absent: one thread does all. */
  assistant?: Assistant;
  /** Told how many requests were read or decided so far. */
  onProgress?: (requests: number) => void;
  /** Told the canonical text that the checksum covers (§4), piece by piece; a piece is valid during the call. */
  onText?: (piece: Uint8Array) => void;
}

/** Lines for which the stream is refused in strict reading (§1.3). */
interface Refused {
  ok: false;
  skipped: SkippedLines;
}

/** What is known of a recomputed round by its digests. */
interface Digests {
  checksum: string;
  /** Of the canonical text that the checksum covers (§4), 64 hex digits, and how long that is. */
  text_sha256: string;
  text_bytes: number;
  requests: number;
  skipped: SkippedLines;
  stream_sha256: string;
}

/** What the reference found; or, in strict reading, the lines for which the stream is refused (§1.3). */
export type ReferenceResult = (Digests & OpenedRound & { ok: true }) | Refused;

/** The same as plain data, for whoever recomputes in a thread of its own. */
export type PackedResult = (Digests & { ok: true; round: PackedRound }) | Refused;

/** What was decided of a stream. */
interface DecidedStream {
  ok: true;
  round: PackedRound;
  skipped: SkippedLines;
  stream_sha256: string;
}

/** Passes chunks on and hashes them on the way. */
async function* hashed(stream: AsyncIterable<Uint8Array>, hasher: Hasher): AsyncGenerator<Uint8Array> {
  for await (const chunk of stream) {
    hasher.update(chunk);
    yield chunk;
  }
}

/** §3.6: the rows that are served, and those that are not; both in the order of the stream. */
function divide(
  table: RowTable,
  bucketOf: readonly (Bucket | Unserved)[],
): { served: Uint32Array<ArrayBuffer>; unserved: Uint32Array<ArrayBuffer> } {
  const isServed = bucketOf.map((bucket) => typeof bucket !== "string");
  const served = new Uint32Array(table.count);
  const unserved = new Uint32Array(table.count);
  let servedCount = 0;
  let unservedCount = 0;
  for (let row = 0; row < table.count; row++)
    if (isServed[table.tenant[row]!]) served[servedCount++] = row;
    else unserved[unservedCount++] = row;
  return { served: served.subarray(0, servedCount), unserved: unserved.slice(0, unservedCount) };
}

/** Who is decided by what, in which order, in which groups; nothing is decided yet. */
function prepare(contract: Contract, policy: Policy, table: RowTable): Decided & { demands: Demands } {
  const book = new BucketBook(contract, policy);
  const bucketOf = table.tenants.map((name) => book.find(name));
  const { served, unserved } = divide(table, bucketOf);
  // A number a tenant: buckets of millions of requests are not looked into one by one.
  const ranks = bucketOf.map((bucket) => (typeof bucket === "string" ? -1 : bucket.rank));
  const rankOf = (row: number) => ranks[table.tenant[row]!]!;
  const order = sortForDispatch(served, rankOf, contract.tiers.length, table);
  // What is not needed any more is given back at once: of ten million requests each of these columns is a page of memory.
  served.buffer.transfer(0);
  sortByArrival(unserved, table);
  const { groups, demands } = formGroups(order, table, contract);
  table.letGoArrivals();
  const verdicts = new VerdictTable(groups.count);
  return { table, order, unserved, groups, demands, verdicts, buckets: book.buckets, bucketOf };
}

/** How many groups are decided between two words about it. */
const PROGRESS_GROUPS = 65_536;

/** Decides every group in the order of its first member (§3.5), and keeps the arithmetic of those asked for. */
function decideAll(
  decided: Decided & { demands: Demands },
  contract: Contract,
  isTraced: NonNullable<Recomputation["trace"]>,
  onGroups: (groups: number) => void,
): PackedTrace | null {
  const { table, order, groups, demands, verdicts, bucketOf } = decided;
  const columns = isTraced === false ? null : emptyTrace(groups.count, isTraced === true);
  const trace = columns === null ? null : new GroupTrace(columns);
  for (let position = 0; position < groups.count; position++) {
    const bucket = bucketOf[table.tenant[order[groups.first(position)]!]!] as Bucket;
    const group = {
      bucket,
      time_ms: groups.time_ms(position),
      required: demands.required_micro(position) * bucket.grains_per_micro,
      soft: demands.soft(position),
      members: groups.members(position),
    };
    refill(bucket, group.time_ms, contract);
    const isAsked = typeof isTraced === "boolean" ? isTraced : isTraced(memberIds(decided, position));
    const { grace_ms } = contract;
    // There is a trace wherever a group may be asked for.
    verdicts.keep(position, isAsked ? trace!.decide(group, position, grace_ms) : decide(group, grace_ms));
    if (position % PROGRESS_GROUPS === 0) onGroups(position);
  }
  return columns;
}

/** Reads and decides; whatever the text does not need is let go with this call. */
async function decideStream(input: Recomputation): Promise<DecidedStream | Refused> {
  const { contract, policy, reading, sha256, trace = false, onProgress = () => {}, assistant } = input;
  const streamHash = sha256();
  const { rows, skipped } = await readRows(hashed(input.stream, streamHash), onProgress, assistant);
  if (reading === "strict" && skipped.count > 0) return { ok: false, skipped };
  rows.letGoLines();

  const decided = prepare(contract, policyOpened(policy, input.opening), rows);
  const traced = decideAll(decided, contract, trace, onProgress);
  const round = packRound(decided, traced, summaryOf(decided));
  return { ok: true, round, skipped, stream_sha256: streamHash.hex() };
}

/** Tells a round's text, by the assistant where there is one. The round that comes back has the columns from then on. */
async function tellText(
  round: PackedRound,
  onPiece: (piece: Uint8Array) => void,
  assistant: Assistant | undefined,
): Promise<PackedRound> {
  if (assistant !== undefined && isToldSooner(round)) {
    const { trace } = round;
    return { ...(await assistant.tell({ ...round, trace: null }, onPiece)), trace };
  }
  for (const piece of roundText(round)) onPiece(piece);
  return round;
}

/** `recompute`, with what it found as plain data. */
export async function recomputePacked(input: Recomputation): Promise<PackedResult> {
  const found = await decideStream(input);
  if (!found.ok) return found;
  const text = input.sha256();
  let text_bytes = 0;
  const onPiece = (piece: Uint8Array) => {
    text.update(piece);
    text_bytes += piece.length;
    input.onText?.(piece);
  };
  const round = await tellText(found.round, onPiece, input.assistant);
  const requests = round.table.count;
  input.onProgress?.(requests);
  const text_sha256 = text.hex();
  return { ...found, round, checksum: text_sha256.slice(0, 16), text_sha256, text_bytes, requests };
}

/** A packed result with its rows, which are made when they are asked for. */
export function openResult(result: PackedResult): ReferenceResult {
  if (!result.ok) return result;
  const { round, ...digests } = result;
  return { ...digests, ...openRound(round) };
}

/**
 * Recomputes a round from contract, policy and stream (§3), exactly and row by row. Shares nothing with the engine but
 * the contract's types (§5.1). Errors of the stream itself are the caller's; bad lines are in the result.
 */
export async function recompute(input: Recomputation): Promise<ReferenceResult> {
  return openResult(await recomputePacked(input));
}
