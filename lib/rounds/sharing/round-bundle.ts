import { stat } from "node:fs/promises";
import { BUNDLE_FILE_MAX_BYTES, BUNDLE_FILES, type BundleFileFacts } from "../../../contract/bundle.ts";
import type { AuditFacts, RoundSummary } from "../../../contract/round-view.ts";
import { BUNDLE_MAX_BYTES, type BundleFacts, bundleChunks } from "../../bundle/write-bundle.ts";
import { ENGINE } from "../../engine/write-report.ts";
import type { Artifacts } from "../../store/artifacts.ts";
import { readInputFile } from "../../store/read-file.ts";
import type { RoundRow } from "../../store/schema.ts";
import { filesWithin, type RoundAccess } from "./shared-round.ts";

/** A bundle that is ready to be sent. */
export interface RoundBundle {
  /** Suggested file name. */
  name: string;
  /** Bytes of all files before they are packed: what a progress is of. */
  bytes: number;
  chunks: AsyncGenerator<Uint8Array>;
}

/** Letters, digits and a few marks of a round's name, for a file's name. */
const fileName = (name: string): string =>
  name
    .replaceAll(/[^\p{L}\p{N}._-]+/gu, "-")
    .replaceAll(/^[-.]+|[-.]+$/g, "")
    .slice(0, 80) || "round";

/** Size of an artifact; 0 where it is gone, or its name is no digest: that is told where a round's files are looked at. */
async function bytesOf(artifacts: Artifacts, sha256: string | null): Promise<number> {
  try {
    return sha256 === null ? 0 : (await stat(artifacts.path(sha256))).size;
  } catch {
    return 0;
  }
}

/** Whether a round's files are larger than a bundle's reader takes: nobody could open one of them. */
export async function isBundleTooLarge(
  { state, contract_sha256, policy_sha256, stream_sha256, report_sha256 }: RoundRow,
  artifacts: Artifacts,
): Promise<boolean> {
  // Until it is finished its stream may still be the log that it is made from.
  if (state !== "done") return false;
  const digests = {
    contract: contract_sha256,
    policy: policy_sha256,
    report: report_sha256,
    stream: stream_sha256,
  };
  let sum = 0;
  for (const file of BUNDLE_FILES) {
    const bytes = await bytesOf(artifacts, digests[file]);
    sum += bytes;
    if (bytes > BUNDLE_FILE_MAX_BYTES[file]) return true;
  }
  return sum > BUNDLE_MAX_BYTES;
}

/**
 * The bundle of a finished round (docs/bundle.md), read from its artifacts as it is sent, without the stream where the
 * access withholds it; null where the round has no report, none that may be seen, or files that are too large for one.
 */
export async function roundBundle(
  row: RoundRow,
  artifacts: Artifacts,
  access: RoundAccess,
): Promise<RoundBundle | null> {
  const allowed = filesWithin(access);
  // A link that masks names gives no report away, and so no bundle.
  if (!allowed.includes("report")) return null;
  const { contract_sha256, policy_sha256, stream_sha256, report_sha256 } = row;
  if (report_sha256 === null || row.summary === null) return null;
  if (await isBundleTooLarge(row, artifacts)) return null;
  const { health } = JSON.parse(row.summary) as RoundSummary;
  const digests = {
    contract: contract_sha256,
    policy: policy_sha256,
    stream: stream_sha256,
    report: report_sha256,
  };
  const names = {
    contract: row.contract_name,
    policy: row.policy_name,
    stream: row.stream_name,
    report: row.audit === null ? "report.json" : (JSON.parse(row.audit) as AuditFacts).report_name,
  };
  const facts = async (file: keyof typeof digests): Promise<BundleFileFacts> => ({
    name: names[file].slice(0, 1000),
    bytes: (await stat(artifacts.path(digests[file]))).size,
    sha256: digests[file],
  });
  const files = {
    contract: await facts("contract"),
    policy: await facts("policy"),
    report: await facts("report"),
    stream: allowed.includes("stream") ? await facts("stream") : null,
  };
  const bytes = Object.values(files).reduce((sum, file) => sum + (file?.bytes ?? 0), 0);
  const manifest: BundleFacts = {
    tool: { ...ENGINE },
    round: { name: row.name.slice(0, 1000), reading: row.reading as BundleFacts["round"]["reading"] },
    files,
    claim: health,
  };
  return {
    name: `${fileName(row.name)}.bundle.zip`,
    bytes,
    chunks: bundleChunks(manifest, (file) => readInputFile(artifacts.path(digests[file]))),
  };
}
