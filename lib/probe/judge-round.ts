import { type InputProblem, readContract, readPolicy } from "../../contract/input.ts";
import type { Reading } from "../../contract/request.ts";
import type { Hasher } from "../reference/canonical-json.ts";
import { type ReferenceResult, recompute } from "../reference/recompute.ts";
import { Comparison } from "./comparison.ts";
import { readInputDocument, readReportDocument } from "./document.ts";
import { type ProbeOutcome, unjudged } from "./outcome.ts";

/** The inputs of a round and its report, as bytes. */
export interface RoundBytes {
  contract: Uint8Array;
  policy: Uint8Array;
  /** In chunks of any size; what it throws is the caller's. */
  stream: AsyncIterable<Uint8Array>;
  report: Uint8Array;
  reading: Reading;
  sha256: () => Hasher;
}

type Recomputed = Extract<ReferenceResult, { ok: true }>;

function digest(bytes: Uint8Array, sha256: () => Hasher): string {
  const hasher = sha256();
  hasher.update(bytes);
  return hasher.hex();
}

function unavailable(what: string, problems: readonly InputProblem[]): ProbeOutcome {
  const [first] = problems;
  const place = first?.path ? `${first.path} ` : "";
  const more = problems.length > 1 ? `, and ${problems.length - 1} more` : "";
  return unjudged(`the ${what} breaks §1: ${place}${first?.message ?? ""}${more}`);
}

function refused({ count, lines }: ReferenceResult["skipped"]): ProbeOutcome {
  const [first] = lines;
  const example = first === undefined ? "" : `: line ${first.line} ${first.field} ${first.reason}`;
  return unjudged(`the stream is refused for ${count} bad line${count === 1 ? "" : "s"}${example}`);
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
function compare(report: unknown, found: Recomputed, round: RoundBytes): ProbeOutcome {
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
 * Judges a report from outside (§5.5): contract and policy validated (§1), the stream recomputed by the reference, and
 * both compared value by value. Runs in Node and in a browser. Unjudged where contract, policy or report cannot be
 * read, or the stream is refused.
 */
export async function judgeRound(round: RoundBytes): Promise<ProbeOutcome> {
  const contractDocument = readInputDocument(round.contract);
  if (!contractDocument.ok) return unjudged(`the contract ${contractDocument.message}`);
  const contract = readContract(contractDocument.value);
  if (!contract.ok) return unavailable("contract", contract.problems);
  const policyDocument = readInputDocument(round.policy);
  if (!policyDocument.ok) return unjudged(`the policy ${policyDocument.message}`);
  const policy = readPolicy(policyDocument.value, contract.value);
  if (!policy.ok) return unavailable("policy", policy.problems);
  const report = readReportDocument(round.report);
  if (!report.ok) return unjudged(`the report ${report.message}`);
  const { stream, reading, sha256 } = round;
  const found = await recompute({ contract: contract.value, policy: policy.value, stream, reading, sha256 });
  if (!found.ok) return refused(found.skipped);
  return compare(report.value, found, round);
}
