import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import type { Contract } from "../../contract/contract.ts";
import { type InputResult, readContract, readPolicy } from "../../contract/input.ts";
import type { Policy } from "../../contract/policy.ts";
import type { Reading } from "../../contract/request.ts";
import { recompute } from "../reference/recompute.ts";
import { compareFacts, type ProbeMismatch } from "./compare.ts";
import { ProbeProblem, parseExactJson, parseJson, readBytes } from "./read-json.ts";

export interface ProbeFiles {
  contract: string;
  policy: string;
  input: string;
  report: string;
}

/** What the probe found (§5.5): ok, bad with how many mismatches, or unjudged with why. */
export interface ProbeOutcome {
  result: "ok" | "bad" | "unjudged";
  compared: number;
  mismatchCount: number;
  mismatches: ProbeMismatch[];
  message?: string;
}

/** Mismatches listed one by one. */
const LISTED = 1000;

const sha256 = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

function nodeHasher() {
  const hash = createHash("sha256");
  return { update: (bytes: Uint8Array) => void hash.update(bytes), hex: () => hash.digest("hex") };
}

function sound<T>(result: InputResult<T>): T {
  if (result.ok) return result.value;
  const first = result.problems[0]!;
  throw new ProbeProblem(`${first.file}: ${first.path}: ${first.message}`);
}

async function judge(files: ProbeFiles, reading: Reading): Promise<ProbeOutcome> {
  const contractBytes = await readBytes(files.contract);
  const policyBytes = await readBytes(files.policy);
  const contract: Contract = sound(
    readContract(parseExactJson(contractBytes, files.contract), files.contract),
  );
  const policy: Policy = sound(readPolicy(parseExactJson(policyBytes, files.policy), contract, files.policy));
  const report = parseJson(await readBytes(files.report), files.report);
  const found = await recompute({
    contract,
    policy,
    stream: createReadStream(files.input),
    reading,
    sha256: nodeHasher,
  }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === undefined) throw error;
    throw new ProbeProblem(`${files.input}: ${error.message}`);
  });
  if (!found.ok) throw new ProbeProblem(`${files.input}: ${found.skipped.count} bad lines`);
  const { compared, mismatchCount, mismatches } = compareFacts(
    (typeof report === "object" && report !== null ? report : {}) as Record<string, unknown>,
    {
      ...found.figures,
      checksum: found.checksum,
      input: {
        contract_sha256: sha256(contractBytes),
        policy_sha256: sha256(policyBytes),
        stream_sha256: found.stream_sha256,
        requests: found.requests,
        skipped: { count: found.skipped.count },
      },
    },
    LISTED,
  );
  return { result: mismatchCount === 0 && compared > 0 ? "ok" : "bad", compared, mismatchCount, mismatches };
}

/** The outside view of a round (§5.5): contract text, inputs and report, by the reference and a comparison of its own. */
export async function probeRound(files: ProbeFiles, reading: Reading): Promise<ProbeOutcome> {
  try {
    return await judge(files, reading);
  } catch (error) {
    if (!(error instanceof ProbeProblem)) throw error;
    return { result: "unjudged", compared: 0, mismatchCount: 0, mismatches: [], message: error.message };
  }
}
