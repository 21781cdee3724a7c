import type { Contract } from "../../contract/contract.ts";
import { type InputProblem, readContract, readPolicy } from "../../contract/input.ts";
import type { Policy } from "../../contract/policy.ts";
import type { Reading } from "../../contract/request.ts";
import type { Hasher } from "../reference/canonical-json.ts";
import { type ReferenceResult, recompute } from "../reference/recompute.ts";
import { Comparison } from "./comparison.ts";
import { type DocumentResult, readInputDocument, readReportDocument } from "./document.ts";
import { type ProbeOutcome, unjudged } from "./outcome.ts";

/** A report that is too large for memory as bytes and objects. */
export interface LargeReport {
  /** Told the text of what the figures should be, piece by piece. */
  take(piece: Uint8Array): void;
  /** The other fields, where the report begins with that text; null where it does not, which says nothing yet. */
  finish(): Record<string, unknown> | null;
  /** All of it, its rows packed. */
  read(): Promise<DocumentResult>;
}

/** The inputs of a round and its report, as bytes. */
export interface RoundBytes {
  contract: Uint8Array;
  policy: Uint8Array;
  /** In chunks of any size; what it throws is the caller's. */
  stream: AsyncIterable<Uint8Array>;
  report: Uint8Array;
  /** A report that is not in memory, in whose place `report` is empty. */
  beside?: LargeReport;
  reading: Reading;
  sha256: () => Hasher;
  /** Keep the arithmetic of groups whose members are asked for. */
  trace?: (req_ids: readonly string[]) => boolean;
  /** Told how many requests were read or decided so far. */
  onProgress?: (requests: number) => void;
}

export type Recomputed = Extract<ReferenceResult, { ok: true }>;

/** What a report is compared with; or why there is nothing to compare it with, and the status that this has (§5.4). */
export type RoundFacts =
  | { ok: true; contract: Contract; policy: Policy; report: unknown; found: Recomputed }
  | { ok: false; status: 2 | 3; message: string };

function digest(bytes: Uint8Array, sha256: () => Hasher): string {
  const hasher = sha256();
  hasher.update(bytes);
  return hasher.hex();
}

const missing = (status: 2 | 3, message: string): RoundFacts => ({ ok: false, status, message });

function unavailable(what: string, problems: readonly InputProblem[]): RoundFacts {
  const [first] = problems;
  const place = first?.path ? `${first.path} ` : "";
  const more = problems.length > 1 ? `, and ${problems.length - 1} more` : "";
  return missing(3, `the ${what} breaks §1: ${place}${first?.message ?? ""}${more}`);
}

function refused({ count, lines }: ReferenceResult["skipped"]): RoundFacts {
  const [first] = lines;
  const example = first === undefined ? "" : `: line ${first.line} ${first.field} ${first.reason}`;
  return missing(2, `the stream is refused for ${count} bad line${count === 1 ? "" : "s"}${example}`);
}

type Members = { readonly [key: string]: unknown };

const ownMember = (value: unknown, key: string): unknown =>
  typeof value === "object" && value !== null && Object.hasOwn(value, key)
    ? (value as Members)[key]
    : undefined;

/** How many lines were skipped and which: the words for them are each implementation's own (§1.3). */
function skippedLines(skipped: unknown): Members {
  const lines = ownMember(skipped, "lines");
  return {
    count: ownMember(skipped, "count"),
    lines: Array.isArray(lines) ? lines.map((problem) => ownMember(problem, "line")) : lines,
  };
}

/** Everything of a report that the inputs alone determine (§4), beside what the reference found. */
export function compareOutside(report: unknown, found: Recomputed, round: RoundBytes): ProbeOutcome {
  const { figures, checksum, requests, skipped, stream_sha256 } = found;
  const comparison = new Comparison();
  comparison.fields([], report, { ...figures, checksum });
  const input = ownMember(report, "input");
  comparison.fields(["input"], input, {
    contract_sha256: digest(round.contract, round.sha256),
    policy_sha256: digest(round.policy, round.sha256),
    stream_sha256,
    requests,
  });
  comparison.fields(["input", "skipped"], skippedLines(ownMember(input, "skipped")), skippedLines(skipped));
  return comparison.outcome();
}

/**
 * Reads the documents (§1) and recomputes the round by the reference, from bytes alone: nothing of it comes from the
 * report. Runs in Node and in a browser. Says why where contract, policy or report cannot be read, or the stream is refused.
 */
export async function findFacts(round: RoundBytes): Promise<RoundFacts> {
  const contractDocument = readInputDocument(round.contract);
  if (!contractDocument.ok) return missing(3, `the contract ${contractDocument.message}`);
  const contract = readContract(contractDocument.value);
  if (!contract.ok) return unavailable("contract", contract.problems);
  const policyDocument = readInputDocument(round.policy);
  if (!policyDocument.ok) return missing(3, `the policy ${policyDocument.message}`);
  const policy = readPolicy(policyDocument.value, contract.value);
  if (!policy.ok) return unavailable("policy", policy.problems);
  const { beside } = round;
  const read = beside === undefined ? readReportDocument(round.report) : null;
  if (read?.ok === false) return missing(2, `the report ${read.message}`);
  const { stream, reading, sha256, trace = false, onProgress = () => {} } = round;
  const documents = { contract: contract.value, policy: policy.value };
  const onText = (piece: Uint8Array) => beside?.take(piece);
  const found = await recompute({ ...documents, stream, reading, sha256, trace, onProgress, onText });
  const rest = beside?.finish() ?? null;
  if (!found.ok) return refused(found.skipped);
  if (read !== null) return { ok: true, ...documents, report: read.value, found };
  if (rest !== null) return { ok: true, ...documents, report: { ...rest, ...found.figures }, found };
  const large = await beside!.read();
  if (!large.ok) return missing(2, `the report ${large.message}`);
  return { ok: true, ...documents, report: large.value, found };
}

/**
 * Judges a report from outside (§5.5): contract and policy validated (§1), the stream recomputed by the reference, and
 * both compared value by value. Unjudged where there is nothing to compare the report with.
 */
export async function judgeRound(round: RoundBytes): Promise<ProbeOutcome> {
  const facts = await findFacts(round);
  return facts.ok ? compareOutside(facts.report, facts.found, round) : unjudged(facts.message);
}
