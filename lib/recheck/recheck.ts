import type { HealthClaim } from "../../contract/bundle.ts";
import type { GroupRow } from "../../contract/group.ts";
import {
  DIFFERENCES_LISTED,
  type DigestFinding,
  type Recheck,
  type RecheckProgress,
} from "../../contract/recheck.ts";
import type { PlaceCount, PlaceRow } from "../../contract/round-view.ts";
import { mayBeWaitNoise, type NoiseFacts } from "../health/binary-noise.ts";
import type { Expected, Place } from "../health/check.ts";
import { compareReport } from "../health/compare-report.ts";
import { compareOutside, findFacts, type Recomputed, type RoundBytes } from "../probe/judge-round.ts";
import { contentChecksum } from "./content-checksum.ts";
import { amongGroups } from "./group-of-request.ts";
import { noiseFacts } from "./noise-facts.ts";
import { MATCHES_KEPT, placeRow } from "./place-row.ts";

/** Digests that are claimed of the files, by whoever handed them over; null for a claim that nobody made. */
export type ClaimedDigests = { readonly [file in DigestFinding["file"]]: string } | null;

interface Options {
  claimed: ClaimedDigests;
  /** The stream once more: the arithmetic of waits that differ is found in a second pass, and only where there are some. */
  reopen: () => AsyncIterable<Uint8Array>;
  onProgress?: (progress: RecheckProgress) => void;
}

/** The SHA-256 of bytes in memory. */
function digestOf(bytes: Uint8Array, { sha256 }: RoundBytes): string {
  const hasher = sha256();
  hasher.update(bytes);
  return hasher.hex();
}

function digestFindings(
  claimed: ClaimedDigests,
  found: { readonly [file in DigestFinding["file"]]: string },
): DigestFinding[] {
  if (claimed === null) return [];
  return (["contract", "policy", "stream", "report"] as const).map((file) => ({
    file,
    claimed: claimed[file],
    found: found[file],
  }));
}

/** Counts places by section and result, and keeps the first that do not match. */
class PlaceTally {
  readonly counts = new Map<string, PlaceCount>();
  private readonly open: { place: Place; among: number; amongOpen: number }[] = [];
  private seen = 0;
  private openSeen = 0;

  take(place: Place): void {
    const key = `${place.section} ${place.result}`;
    const count = this.counts.get(key);
    if (count === undefined) this.counts.set(key, { section: place.section, result: place.result, count: 1 });
    else count.count += 1;
    const among = this.seen++;
    if (place.result === "match") return;
    const amongOpen = this.openSeen++;
    if (this.open.length < DIFFERENCES_LISTED) this.open.push({ place, among, amongOpen });
  }

  /** The rows with their positions in the round's diff, which leaves matching places out where they are too many. */
  rows(facts: NoiseFacts): PlaceRow[] {
    const keepsMatches = this.seen <= MATCHES_KEPT;
    return this.open.map(({ place, among, amongOpen }) =>
      placeRow(place, keepsMatches ? among : amongOpen, facts),
    );
  }

  /** Requests whose waits differ as binary noise would have it, among what is kept. */
  waits(): Set<string> {
    return new Set(this.open.flatMap(({ place }) => (mayBeWaitNoise(place) ? [place.subject] : [])));
  }
}

function expectedOf(
  report: unknown,
  found: Recomputed,
  round: RoundBytes,
  digests: Record<string, string>,
): Expected {
  const { figures, checksum, requests, skipped, stream_sha256 } = found;
  return {
    figures,
    checksum,
    input: {
      contract_sha256: digests.contract!,
      policy_sha256: digests.policy!,
      stream_sha256,
      requests,
      skipped,
    },
    contentChecksum: contentChecksum(report, round.sha256),
  };
}

/** The arithmetic of the groups that some requests are in, found by recomputing once more. */
async function groupsOf(req_ids: ReadonlySet<string>, round: RoundBytes): Promise<GroupRow[]> {
  if (req_ids.size === 0) return [];
  const facts = await findFacts({ ...round, trace: (members) => members.some((id) => req_ids.has(id)) });
  return facts.ok ? [...facts.found.groups] : [];
}

/**
 * Recomputes a round from its bytes and compares its report, field by field by the check table (§5.2) and once more by the
 * probe's own comparison. Takes nothing from whoever handed the files over: what they claim is compared, never believed.
 * Runs in Node and in a browser.
 */
export async function recheck(
  round: RoundBytes,
  { claimed, reopen, onProgress = () => {} }: Options,
): Promise<Recheck> {
  onProgress({ phase: "recompute", requests: 0 });
  const facts = await findFacts({
    ...round,
    onProgress: (requests) => onProgress({ phase: "recompute", requests }),
  });
  if (!facts.ok) return { outcome: "unjudged", status: facts.status, message: facts.message, digests: [] };
  const { report, found } = facts;
  onProgress({ phase: "digests", requests: null });
  const digests = {
    contract: digestOf(round.contract, round),
    policy: digestOf(round.policy, round),
    stream: found.stream_sha256,
    report: digestOf(round.report, round),
  };
  onProgress({ phase: "compare", requests: null });
  const places = new PlaceTally();
  const health = compareReport(report, expectedOf(report, found, round, digests), undefined, {
    onPlace: (place) => places.take(place),
  });
  const groups = await groupsOf(places.waits(), { ...round, stream: reopen() });
  const outside = compareOutside(report, found, round);
  const { status, checks, mismatches, indeterminate } = health;
  const claim: HealthClaim = { status, checks, mismatches, indeterminate };
  const findings = digestFindings(claimed, digests);
  const agrees =
    mismatches + indeterminate === 0 &&
    checks > 0 &&
    outside.result === "ok" &&
    findings.every((finding) => finding.claimed === finding.found);
  return {
    outcome: agrees ? "agrees" : "differs",
    digests: findings,
    requests: found.requests,
    found: claim,
    table: health.table,
    counts: [...places.counts.values()],
    differences: places.rows(noiseFacts(facts.policy, found.figures, amongGroups(groups))),
    outside: { compared: outside.compared, mismatches: outside.mismatchCount },
  };
}
