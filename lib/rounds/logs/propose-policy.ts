import { randomBytes } from "node:crypto";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Preset, StartingPointResult } from "../../../contract/starting-point.ts";
import { forkProcess } from "../process/forked-process.ts";
import { uploadsDir } from "../settings.ts";
import { checkUpload, type UploadClaim } from "./uploads.ts";

const PROCESS = "lib/rounds/logs/propose-process.ts";
/** A proposal is looked at by somebody who waits: one that takes longer is given up. */
const LONGEST_MS = 120_000;

/** What the process of a proposal is asked. */
export interface ProposeJob {
  log: string;
  mapping: unknown;
  preset: Preset;
}

/** A stream to propose a policy from: an upload that stays for its round, a text, or a file that is stored. */
export interface ProposeRequest {
  stream:
    | ({ kind: "upload" } & UploadClaim)
    | { kind: "text"; name: string; text: string }
    | { kind: "stored"; path: string };
  mapping: unknown;
  preset: Preset;
}

/** In a process of its own, so that pages answer meanwhile. */
async function ask(job: ProposeJob): Promise<StartingPointResult> {
  let answer: StartingPointResult | null = null;
  const { kill, ended } = forkProcess<ProposeJob, StartingPointResult>(PROCESS, job, (message) => {
    answer = message;
  });
  const timer = setTimeout(kill, LONGEST_MS);
  await ended;
  clearTimeout(timer);
  return (
    answer ?? {
      ok: false,
      reason: "could not be looked at: its process ended, or took more than two minutes",
    }
  );
}

/** Proposes a contract and a policy from the first requests of a stream. */
export async function proposePolicy({
  stream,
  mapping,
  preset,
}: ProposeRequest): Promise<StartingPointResult> {
  if (stream.kind === "stored") return ask({ log: stream.path, mapping, preset });
  if (stream.kind === "upload") {
    const checked = await checkUpload(stream);
    return checked.ok
      ? ask({ log: checked.path, mapping, preset })
      : { ok: false, reason: checked.problem.message };
  }
  // Among uploads, whose sweep removes it should this process end before it does so itself.
  const log = join(uploadsDir(), `text-${randomBytes(8).toString("hex")}`);
  await mkdir(uploadsDir(), { recursive: true });
  await writeFile(log, stream.text);
  try {
    return await ask({ log, mapping, preset });
  } finally {
    await rm(log, { force: true });
  }
}
