/**
 * A recheck: a round recomputed where nobody has to believe the server, in a visitor's browser or on the command line, and
 * what travels between a page and the worker that does it.
 */
import type { BundleFile, BundleManifest, HealthClaim } from "./bundle.ts";
import type { CheckTally } from "./health.ts";
import type { Reading } from "./request.ts";
import type { PlaceCount, PlaceRow } from "./round-view.ts";

/** Differences that are told one by one; all are counted. */
export const DIFFERENCES_LISTED = 1000;

/** One file of the bundle by what its manifest says of it and what its bytes are: 64 hex digits each. */
export interface DigestFinding {
  file: BundleFile;
  claimed: string;
  found: string;
}

/** What a recheck came to. `unjudged` is neither agreement nor difference. */
export type Recheck =
  | {
      outcome: "agrees" | "differs";
      /** Digests of the manifest against the files themselves; empty where there is no manifest. */
      digests: DigestFinding[];
      /** Requests recomputed. */
      requests: number;
      /** What was found here, in the form in which a server claims it. */
      found: HealthClaim;
      table: CheckTally[];
      counts: PlaceCount[];
      /** The first places that do not match; a position is that of the round's diff. */
      differences: PlaceRow[];
      /** The same report by a second comparison, which shares no line with the first (§5.5). */
      outside: { compared: number; mismatches: number };
    }
  | { outcome: "unjudged"; status: 2 | 3; message: string; digests: DigestFinding[] };

/** What is rechecked: a bundle, or the files of one. */
export type RecheckSource =
  | { kind: "bundle"; bundle: Blob }
  | { kind: "files"; contract: Blob; policy: Blob; stream: Blob; report: Blob; reading: Reading };

/** What is asked of the worker: to recheck, or to take the files out of a bundle. */
export type RecheckRequest = { kind: "recheck"; source: RecheckSource } | { kind: "unpack"; bundle: Blob };

/** The files of a bundle; the stream is null where it is kept back. */
export type BundleBlobs = { [file in Exclude<BundleFile, "stream">]: Blob } & { stream: Blob | null };

/** What a recheck is at, in this order. */
export const RECHECK_PHASES = ["open", "recompute", "digests", "compare"] as const;
export interface RecheckProgress {
  phase: (typeof RECHECK_PHASES)[number];
  /** Requests so far; null where nothing is counted. */
  requests: number | null;
}

/** What the worker says. `ready` comes once, when its code is loaded and it can work without a network. */
export type RecheckMessage =
  | { kind: "ready" }
  | { kind: "progress"; progress: RecheckProgress }
  | { kind: "found"; recheck: Recheck; manifest: BundleManifest | null; took_ms: number }
  | { kind: "unpacked"; files: BundleBlobs; manifest: BundleManifest }
  | { kind: "failed"; message: string };
