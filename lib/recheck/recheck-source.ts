import type { BundleManifest } from "../../contract/bundle.ts";
import type { Recheck, RecheckProgress, RecheckSource } from "../../contract/recheck.ts";
import { BundleProblem } from "../bundle/bundle-problem.ts";
import { blobChunks, openBundle } from "../bundle/open-bundle.ts";
import type { RoundBytes } from "../probe/judge-round.ts";
import type { Hasher } from "../reference/canonical-json.ts";
import { type ClaimedDigests, recheck } from "./recheck.ts";

/** A recheck with the manifest of what was rechecked; null where there is none, or it could not be read. */
export interface SourceRecheck {
  recheck: Recheck;
  manifest: BundleManifest | null;
}

type Opened =
  | {
      ok: true;
      round: RoundBytes;
      reopen: () => AsyncIterable<Uint8Array>;
      claimed: ClaimedDigests;
      manifest: BundleManifest | null;
    }
  | { ok: false; message: string; manifest: BundleManifest | null };

const bytesOf = async (blob: Blob): Promise<Uint8Array> => new Uint8Array(await blob.arrayBuffer());

async function openSource(source: RecheckSource, sha256: () => Hasher): Promise<Opened> {
  if (source.kind === "files") {
    const [contract, policy, report] = await Promise.all(
      [source.contract, source.policy, source.report].map(bytesOf),
    );
    const reopen = () => blobChunks(source.stream);
    const round = {
      contract: contract!,
      policy: policy!,
      report: report!,
      stream: reopen(),
      reading: source.reading,
      sha256,
    };
    return { ok: true, round, reopen, claimed: null, manifest: null };
  }
  const { manifest, bytesOf: whole, chunksOf } = await openBundle(source.bundle);
  const { contract, policy, report, stream } = manifest.files;
  if (stream === null)
    return {
      ok: false,
      message: "cannot be judged: the stream is not in this bundle, whoever made it kept it back",
      manifest,
    };
  const round = {
    contract: await whole("contract"),
    policy: await whole("policy"),
    report: await whole("report"),
    stream: chunksOf("stream"),
    reading: manifest.round.reading,
    sha256,
  };
  const claimed = {
    contract: contract.sha256,
    policy: policy.sha256,
    report: report.sha256,
    stream: stream.sha256,
  };
  return { ok: true, round, reopen: () => chunksOf("stream"), claimed, manifest };
}

/**
 * Rechecks a bundle, or the files of one. What cannot be opened or judged is `unjudged` with the reason: never an
 * exception for what a file is or holds, and never agreement.
 */
export async function recheckSource(
  source: RecheckSource,
  sha256: () => Hasher,
  onProgress: (progress: RecheckProgress) => void = () => {},
): Promise<SourceRecheck> {
  const unjudged = (message: string, manifest: BundleManifest | null = null): SourceRecheck => ({
    recheck: { outcome: "unjudged", status: 2, message, digests: [] },
    manifest,
  });
  onProgress({ phase: "open", requests: null });
  try {
    const opened = await openSource(source, sha256);
    if (!opened.ok) return unjudged(opened.message, opened.manifest);
    const { round, reopen, claimed, manifest } = opened;
    return { recheck: await recheck(round, { claimed, reopen, onProgress }), manifest };
  } catch (error) {
    if (error instanceof BundleProblem) return unjudged(`the bundle ${error.message}`);
    throw error;
  }
}
