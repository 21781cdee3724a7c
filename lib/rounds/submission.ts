import { randomBytes } from "node:crypto";
import type { InputProblem } from "../../contract/input.ts";
import type { Reading } from "../../contract/request.ts";
import { sealSentence } from "../../contract/seal.ts";
import { readMapping } from "../ingest/log/request-mapper.ts";
import { asFileProblem, FileProblem, isFileProblem } from "../store/file-problem.ts";
import type { Store } from "../store/open-store.ts";
import type { NewRound } from "../store/schema.ts";
import { fileFindings } from "./file-seals.ts";
import { checkUpload, forgetUpload, type UploadClaim } from "./logs/uploads.ts";
import { validateDocuments } from "./run/documents.ts";
import { logColumns } from "./sharing/round-import.ts";

/** What a round, or a study, is made from: documents as texts; the stream as an upload, as text, or stored already. */
export interface SubmittedInputs {
  reading: Reading;
  contract: { name: string; text: string };
  policy: { name: string; text: string };
  stream:
    | ({ kind: "upload" } & UploadClaim)
    | { kind: "text"; name: string; text: string }
    | { kind: "stored"; name: string; sha256: string; bytes: number };
  /** How the lines of a log become requests; absent or null for a canonical stream. */
  mapping?: unknown;
}

/** A round to be run. */
export interface Submission extends SubmittedInputs {
  name?: string;
  faults: string[];
}

export type SubmitResult = { ok: true; id: string } | { ok: false; problems: InputProblem[] };

/** Problems as one text, where there is no room for a list. */
export const problemText = (problems: readonly InputProblem[]): string =>
  problems.map(({ file, path, message }) => `${file} ${path} ${message}`.replace("  ", " ")).join("; ");

/** Inputs as artifacts, in the columns of a round: those of a log are there where the stream is to be made from one. */
export type StoredInputs = Pick<
  NewRound,
  | "reading"
  | "contract_name"
  | "contract_sha256"
  | "policy_name"
  | "policy_sha256"
  | "stream_name"
  | "stream_sha256"
  | "stream_bytes"
  | "raw_sha256"
  | "raw_bytes"
  | "mapping"
>;

/**
 * Runs what stores inputs and then what refers to them. Where the disk does not take them, nothing of them is kept and
 * that is told as a problem of `name`.
 */
export async function storing(
  store: Store,
  name: string,
  work: () => Promise<SubmitResult>,
): Promise<SubmitResult> {
  try {
    return await store.unreferenced.storing(work);
  } catch (error) {
    const problem = asFileProblem(name, error);
    if (!isFileProblem(problem)) throw error;
    console.error(error);
    const message = `could not be stored: ${problem.message}`;
    return { ok: false, problems: [{ file: name, path: "", message }] };
  }
}

/** Ids sort by the time of creation and cannot be guessed. */
export const newId = (now_ms: number): string =>
  now_ms.toString(36).padStart(9, "0") + randomBytes(8).toString("hex").slice(0, 12);

/** Makes a file an artifact: an upload, a text, or one that is stored already. */
export async function takeFile(
  store: Store,
  file: SubmittedInputs["stream"],
): Promise<{ ok: true; sha256: string; bytes: number } | { ok: false; problem: InputProblem }> {
  const { artifacts } = store;
  const problem = (message: string) => ({ file: file.name, path: "", message });
  if (file.kind === "text") return { ok: true, ...(await artifacts.put([file.text])) };
  if (file.kind === "stored") {
    const { sha256, bytes } = file;
    if (!(await artifacts.has(sha256)))
      return { ok: false, problem: problem("is no longer stored; choose one that is") };
    const [finding] = await fileFindings(store, [["stream", sha256]], true);
    if (finding === undefined) return { ok: true, sha256, bytes };
    return { ok: false, problem: problem(`cannot be taken: ${sealSentence(finding)}`) };
  }
  const checked = await checkUpload(file);
  if (!checked.ok) return checked;
  try {
    const taken = await artifacts.adopt(checked.path, file.sha256);
    await forgetUpload(file.upload_id);
    return { ok: true, ...taken };
  } catch (error) {
    if (!(error instanceof FileProblem)) throw error;
    return { ok: false, problem: problem(error.message) };
  }
}

/** Makes inputs artifacts. Contract, policy and mapping are judged at once; the stream where it is read. */
export async function takeInputs(
  store: Store,
  inputs: SubmittedInputs,
): Promise<{ ok: true; stored: StoredInputs } | { ok: false; problems: InputProblem[] }> {
  const { contract, policy, stream, reading } = inputs;
  const mapping = inputs.mapping ?? null;
  const mapped = mapping === null ? null : readMapping(mapping);
  if (mapped !== null && !mapped.ok) return mapped;
  const encoder = new TextEncoder();
  const documents = validateDocuments(encoder.encode(contract.text), encoder.encode(policy.text), {
    contract: contract.name,
    policy: policy.name,
  });
  if (!documents.ok) return documents;
  const taken = await takeFile(store, stream);
  if (!taken.ok) return { ok: false, problems: [taken.problem] };
  const { sha256, bytes } = taken;
  return {
    ok: true,
    stored: {
      reading,
      contract_name: contract.name,
      contract_sha256: (await store.artifacts.put([contract.text])).sha256,
      policy_name: policy.name,
      policy_sha256: (await store.artifacts.put([policy.text])).sha256,
      stream_name: stream.name,
      stream_sha256: sha256,
      stream_bytes: bytes,
      ...(await logColumns(store, { sha256, bytes }, mapping)),
    },
  };
}

/** Stores a round whose inputs are stored: it waits for its turn. */
export async function insertWaiting(
  store: Store,
  round: Omit<NewRound, "id" | "state" | "created_at_ms">,
): Promise<SubmitResult> {
  const created_at_ms = Date.now();
  const id = newId(created_at_ms);
  await store.rounds.insert({ ...round, id, state: "waiting", created_at_ms });
  return { ok: true, id };
}

/** Stores a round that waits; problems of contract, policy or a transfer come back, and nothing is stored then. */
export async function submitRound(store: Store, submission: Submission): Promise<SubmitResult> {
  const taken = await takeInputs(store, submission);
  if (!taken.ok) return taken;
  const name = submission.name?.trim() || submission.stream.name;
  return insertWaiting(store, { ...taken.stored, name, faults: JSON.stringify(submission.faults) });
}
