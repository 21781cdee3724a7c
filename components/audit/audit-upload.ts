import type { BundleBlobs } from "../../contract/recheck.ts";
import type { Reading } from "../../contract/request.ts";
import { type FinishedUpload, uploadFile } from "../new-round/upload-file.ts";
import { unpackBundle } from "../recheck/use-recheck.ts";
import type { AuditFiles } from "./audit-files.ts";

/** An audit as the server takes it: documents as texts, stream and report uploaded. */
export interface AuditUpload {
  name: string;
  reading: Reading;
  exit_status: number | null;
  /** How the lines of a log become requests; null for a canonical stream. */
  mapping: unknown;
  contract: { name: string; text: string };
  policy: { name: string; text: string };
  stream: { kind: "upload" } & FinishedUpload;
  report: { kind: "upload" } & FinishedUpload;
}

/** How an audit is to be read, as the form says. */
export interface AuditChoices {
  name: string;
  reading: Reading;
  exit_status: number | null;
  mapping: unknown;
}

type Named = { [file in keyof BundleBlobs]: { name: string; blob: Blob } };

/** The exact text of a document: a byte order mark stays, since the digest is of the bytes. */
async function textOf(what: string, { name, blob }: { name: string; blob: Blob }) {
  try {
    const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
    return { name, text: decoder.decode(await blob.arrayBuffer()) };
  } catch {
    throw new Error(`the ${what} is no UTF-8 text; expected a JSON file`);
  }
}

/** The four files of an audit, out of its bundle where there is one. */
async function filesOf(
  files: AuditFiles,
  choices: AuditChoices,
): Promise<{ files: Named; choices: AuditChoices }> {
  if (files.bundle === null) {
    const named = (file: File | null) => ({ name: file?.name ?? "", blob: file ?? new Blob() });
    const { contract, policy, stream, report } = files;
    return {
      files: {
        contract: named(contract),
        policy: named(policy),
        stream: named(stream),
        report: named(report),
      },
      choices,
    };
  }
  const { files: blobs, manifest } = await unpackBundle(files.bundle);
  if (blobs.stream === null || manifest.files.stream === null)
    throw new Error("the bundle holds no stream: its report cannot be judged");
  const { contract, policy, stream, report } = manifest.files;
  return {
    files: {
      contract: { name: contract.name, blob: blobs.contract },
      policy: { name: policy.name, blob: blobs.policy },
      stream: { name: stream.name, blob: blobs.stream },
      report: { name: report.name, blob: blobs.report },
    },
    choices: { ...choices, name: choices.name || manifest.round.name, reading: manifest.round.reading },
  };
}

/** Uploads what an audit is made of. `onProgress` is told the bytes sent and all there are. */
export async function uploadAudit(
  chosen: AuditFiles,
  chosenChoices: AuditChoices,
  signal: AbortSignal,
  onProgress: (sent: number, total: number) => void,
): Promise<AuditUpload> {
  const { files, choices } = await filesOf(chosen, chosenChoices);
  const total = files.stream.blob.size + files.report.blob.size;
  let before = 0;
  const send = async ({ name, blob }: { name: string; blob: Blob }) => {
    const upload = await uploadFile(new File([blob], name), signal, (sent) =>
      onProgress(before + sent, total),
    );
    before += blob.size;
    return { kind: "upload" as const, ...upload };
  };
  const contract = await textOf("contract", files.contract);
  const policy = await textOf("policy", files.policy);
  const stream = await send(files.stream);
  return { ...choices, contract, policy, stream, report: await send(files.report) };
}
