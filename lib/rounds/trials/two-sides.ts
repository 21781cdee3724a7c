import type { Contract } from "../../../contract/contract.ts";
import type { GroupRow } from "../../../contract/group.ts";
import type { Policy } from "../../../contract/policy.ts";
import { type Held, held, type RoundFigures } from "../../../contract/report.ts";
import { decideRound, type RoundOutcome } from "../../engine/decide-round.ts";
import { groupRows } from "../../engine/group-rows.ts";
import { roundFigures } from "../../engine/round-figures.ts";
import { contractRules, type Rules } from "../../engine/rules.ts";
import { checksumOf } from "../../engine/write-report.ts";
import { readColumns } from "../../ingest/canonical-stream.ts";
import { recompute } from "../../reference/recompute.ts";
import { validateDocuments } from "../run/documents.ts";
import { nodeSha256 } from "../sha256.ts";
import { BROKEN_BYTE, type RandomFiles } from "./round-files-arbitrary.ts";

/** All that engine and reference both say of a round. For tests only. */
export interface Side {
  figures: Held<RoundFigures>;
  checksum: string;
  groups: GroupRow[];
  requests: number;
  /** Physical lines that were left out; their wording is each side's own. */
  skipped: { count: number; lines: number[] };
  stream_sha256: string;
}

/** Validated inputs; the stream comes in chunks of so many bytes. */
export interface Inputs {
  contract: Contract;
  policy: Policy;
  stream: Uint8Array;
  chunk_bytes: number;
}

/** The validated documents and the bytes of random files. Files that break a rule of §1 are an error of the test. */
export function inputsOf({ contract, policy, stream, chunk_bytes }: RandomFiles): Inputs {
  const bytes = (text: string) => new TextEncoder().encode(text);
  const documents = validateDocuments(bytes(contract), bytes(policy), {
    contract: "contract",
    policy: "policy",
  });
  if (!documents.ok) throw new Error(`no valid round: ${JSON.stringify(documents.problems)}`);
  return { ...documents.value, stream: breakBytes(bytes(stream)), chunk_bytes };
}

const BROKEN_SEQUENCE = new TextEncoder().encode(BROKEN_BYTE);

/** Puts 0xFF, which is never UTF-8, in the place of every `BROKEN_BYTE`. */
function breakBytes(bytes: Uint8Array): Uint8Array {
  for (let at = bytes.indexOf(BROKEN_SEQUENCE[0]!); at >= 0; at = bytes.indexOf(BROKEN_SEQUENCE[0]!, at + 1))
    if (BROKEN_SEQUENCE.every((byte, offset) => bytes[at + offset] === byte)) bytes[at] = 0xff;
  return bytes;
}

export async function* chunksOf({ stream, chunk_bytes }: Inputs): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < stream.length; start += chunk_bytes)
    yield stream.slice(start, start + chunk_bytes);
}

/** The round by ingest and engine. */
export async function engineSide(
  inputs: Inputs,
  rules: Rules = contractRules,
): Promise<Side & { outcome: RoundOutcome }> {
  const { columns, problems, problemCount, sha256 } = await readColumns(chunksOf(inputs));
  const outcome = decideRound(inputs.contract, inputs.policy, columns, rules, true);
  const figures = roundFigures(outcome);
  return {
    outcome,
    figures: held(figures),
    checksum: checksumOf(outcome, figures),
    groups: [...groupRows(outcome)],
    requests: columns.count,
    skipped: { count: problemCount, lines: problems.map(({ line }) => line) },
    stream_sha256: sha256,
  };
}

/** The round by the reference. */
export async function referenceSide(inputs: Inputs): Promise<Side> {
  const found = await recompute({
    contract: inputs.contract,
    policy: inputs.policy,
    stream: chunksOf(inputs),
    reading: "lenient",
    sha256: nodeSha256,
    trace: true,
  });
  if (!found.ok) throw new Error("lenient reading refuses no stream (§1.3)");
  const { figures, checksum, groups, requests, skipped, stream_sha256 } = found;
  return {
    figures: held(figures),
    checksum,
    groups: [...groups],
    requests,
    skipped: { count: skipped.count, lines: skipped.lines.map(({ line }) => line) },
    stream_sha256,
  };
}
