import type { HealthClaim } from "../../contract/bundle.ts";
import type { Recheck } from "../../contract/recheck.ts";
import { counted } from "../format/format.ts";
import { foundText } from "../signals/found-text.ts";

/** What a server says of a round: what its health claims, and what it calls its true recomputation. */
export interface ServerClaims {
  health: HealthClaim;
  truth: HealthClaim | null;
}

type Judged = Exclude<Recheck, { outcome: "unjudged" }>;

/** Differences in a claim or a finding. */
export const differencesIn = ({ mismatches, indeterminate }: HealthClaim): number =>
  mismatches + indeterminate;

const isWell = ({ outcome, found }: Judged): boolean => outcome === "agrees" && found.status === 0;

const sameFigures = (a: HealthClaim, b: HealthClaim): boolean =>
  a.checks === b.checks && a.mismatches === b.mismatches && a.indeterminate === b.indeterminate;

function disagreement(speaker: string, claim: HealthClaim, recheck: Judged): string | null {
  const { found } = recheck;
  const here = `this browser found ${foundText(found)} in ${counted(found.checks, "check")}`;
  const files = recheck.digests.filter((digest) => digest.claimed !== digest.found).length;
  const others = files === 0 ? "" : ` and ${counted(files, "file")} other than the bundle names`;
  if (claim.status === 0 && !isWell(recheck))
    return `${speaker} says well (${counted(claim.checks, "check")}, ${foundText(claim)}); ${here}${others}.`;
  if (claim.status !== 0 && isWell(recheck))
    return `${speaker} says not well (${foundText(claim)}); ${here}.`;
  if (!sameFigures(claim, found))
    return `${speaker} counts ${foundText(claim)} in ${counted(claim.checks, "check")}; ${here}.`;
  return null;
}

/** Where what the server says and what was found here are not the same, a sentence each. */
export function disagreements(recheck: Judged, { health, truth }: ServerClaims, speaker: string): string[] {
  return [
    disagreement(`${speaker} health`, health, recheck),
    truth === null ? null : disagreement(`${speaker} own recomputation`, truth, recheck),
  ].filter((sentence) => sentence !== null);
}
