import { rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { InputProblem } from "../../../contract/input.ts";
import { asFileProblem, FileProblem } from "../../store/file-problem.ts";
import { digestBeside } from "../process/digest-beside.ts";
import { uploadsDir } from "../settings.ts";
import { firstBytes } from "./recognise-log.ts";

/** An upload as the browser describes it: its id, and what the whole file must be. */
export interface UploadClaim {
  upload_id: string;
  /** 64 hex digits, as the browser found them. */
  sha256: string;
  bytes: number;
  name: string;
}

const UPLOAD_ID = /^[0-9a-f]{32}$/;

/** Path of a finished upload whose size and digest are what the browser says; or why it is not that. */
export async function checkUpload(
  claim: UploadClaim,
): Promise<{ ok: true; path: string } | { ok: false; problem: InputProblem }> {
  const refuse = (message: string) => ({
    ok: false as const,
    problem: { file: claim.name, path: "", message },
  });
  if (!UPLOAD_ID.test(claim.upload_id)) return refuse("is no upload of this server");
  const path = join(uploadsDir(), claim.upload_id);
  const found = await stat(path).catch(() => null);
  if (found === null) return refuse("was not uploaded, or was taken already; drop the file again");
  if (found.size !== claim.bytes)
    return refuse(
      `was cut off in transfer: ${found.size} of ${claim.bytes} bytes arrived; drop the file again`,
    );
  let sha256: string;
  try {
    sha256 = await digestBeside(path);
  } catch (error) {
    const problem = asFileProblem(path, error);
    if (problem instanceof FileProblem) return refuse(problem.message);
    throw error;
  }
  if (sha256 !== claim.sha256)
    return refuse(
      "was changed in transfer: its SHA-256 is not the one the browser found; drop the file again",
    );
  return { ok: true, path };
}

/** Forgets what the upload protocol noted about an upload that was taken over. */
export async function forgetUpload(upload_id: string): Promise<void> {
  await rm(join(uploadsDir(), `${upload_id}.json`), { force: true });
}

/**
 * The first bytes of an upload, as many as a log is recognised by; null where none of that id is here, or not the whole of
 * it. What they are is judged when the upload is used.
 */
export async function uploadedHead({
  upload_id,
  bytes,
}: Pick<UploadClaim, "upload_id" | "bytes">): Promise<Uint8Array<ArrayBuffer> | null> {
  if (!UPLOAD_ID.test(upload_id)) return null;
  const path = join(uploadsDir(), upload_id);
  const found = await stat(path).catch(() => null);
  if (!found?.isFile() || found.size !== bytes) return null;
  return firstBytes(path);
}
