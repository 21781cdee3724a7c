import { readFile } from "node:fs/promises";
import { isDeepStrictEqual } from "node:util";
import { caseSchema } from "../../../contract/case.ts";
import type { NumberText } from "../../../contract/decimal.ts";
import { readContract, readPolicy } from "../../../contract/input.ts";
import { held, type RoundFigures } from "../../../contract/report.ts";
import { decideRound } from "../../engine/decide-round.ts";
import { roundFigures } from "../../engine/round-figures.ts";
import { checksumOf } from "../../engine/write-report.ts";
import { readColumns } from "../../ingest/canonical-stream.ts";
import { readDocument } from "../../ingest/document.ts";
import { writeStream } from "../../ingest/write-stream.ts";
import { recompute } from "../../reference/recompute.ts";
import { asFileProblem } from "../../store/file-problem.ts";
import { problemLine } from "../round-problem.ts";
import { nodeSha256 } from "../sha256.ts";

/** A side's figures with their checksum. */
export type Conformed = RoundFigures & { checksum: string };

/** What became of a case: both sides' figures, whether they agree, and whether they are what the case expects. */
export interface CaseResult {
  name: string;
  engine: Conformed;
  reference: Conformed;
  equal: boolean;
  /** Null where the case states no values. */
  expected: boolean | null;
}

/** A case that could not be run, and why. */
export class CaseProblem extends Error {}

/** The text of a case file. One that cannot be read is a CaseProblem. */
export async function readCase(file: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    throw new CaseProblem(`${file}: ${(asFileProblem(file, error) as Error).message}`);
  }
}

async function* chunksOf(text: string): AsyncGenerator<Uint8Array> {
  yield new TextEncoder().encode(text);
}

const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

/** Runs a case file's text through engine and reference. A case that is no case is a CaseProblem. */
export async function conformCase(text: string, file: string): Promise<CaseResult> {
  const document = readDocument(text, file);
  if (!document.ok) throw new CaseProblem(problemLine(document.problems[0]!));
  const exact = document.value.value as { contract: unknown; policy: unknown; requests: NumberText[] };
  const shaped = caseSchema.safeParse(JSON.parse(text.replace(/^\uFEFF/, "")));
  if (!shaped.success)
    throw new CaseProblem(
      `${file}: ${shaped.error.issues[0]?.path.join(".")}: ${shaped.error.issues[0]?.message}`,
    );
  const contract = readContract(exact.contract, `${file}: contract`);
  if (!contract.ok) throw new CaseProblem(problemLine(contract.problems[0]!));
  const policy = readPolicy(exact.policy, contract.value, `${file}: policy`);
  if (!policy.ok) throw new CaseProblem(problemLine(policy.problems[0]!));
  const stream = writeStream(exact.requests);
  const { columns, problems } = await readColumns(chunksOf(stream));
  if (problems[0] !== undefined)
    throw new CaseProblem(
      `${file}: request ${problems[0].line}: ${problems[0].field}: ${problems[0].reason}`,
    );
  const outcome = decideRound(contract.value, policy.value, columns);
  const figures = roundFigures(outcome);
  const engine = { ...held(figures), checksum: checksumOf(outcome, figures) };
  const found = await recompute({
    contract: contract.value,
    policy: policy.value,
    stream: chunksOf(stream),
    reading: "strict",
    sha256: nodeSha256,
  });
  if (!found.ok)
    throw new CaseProblem(
      `${file}: the reference refuses ${found.skipped.count} requests that the engine takes`,
    );
  const reference = { ...held(found.figures), checksum: found.checksum };
  const { expected } = shaped.data;
  return {
    name: shaped.data.name,
    engine,
    reference,
    equal: isDeepStrictEqual(plain(engine), plain(reference)),
    expected:
      expected === undefined
        ? null
        : isDeepStrictEqual(plain(reference), expected) && isDeepStrictEqual(plain(engine), expected),
  };
}
