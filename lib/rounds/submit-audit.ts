import type { Store } from "../store/open-store.ts";
import {
  insertWaiting,
  type SubmitResult,
  type SubmittedInputs,
  takeFile,
  takeInputs,
} from "./submission.ts";

/** A report made elsewhere, with what it was made from. */
export interface AuditSubmission extends SubmittedInputs {
  name?: string;
  report: SubmittedInputs["stream"];
  /** The status with which whatever made the report ended; null where nobody knows. */
  exit_status: number | null;
}

/** Stores an audit as a round that waits; problems of contract, policy or a transfer come back, and nothing is stored then. */
export async function submitAudit(store: Store, audit: AuditSubmission): Promise<SubmitResult> {
  const taken = await takeInputs(store, audit);
  if (!taken.ok) return taken;
  const report = await takeFile(store, audit.report);
  if (!report.ok) {
    const { contract_sha256, policy_sha256, stream_sha256 } = taken.stored;
    await store.unreferenced.letGo([contract_sha256, policy_sha256, stream_sha256]);
    return { ok: false, problems: [report.problem] };
  }
  return insertWaiting(store, {
    ...taken.stored,
    name: audit.name?.trim() || audit.report.name,
    faults: "[]",
    report_sha256: report.sha256,
    audit: JSON.stringify({ report_name: audit.report.name, exit_status: audit.exit_status }),
  });
}
