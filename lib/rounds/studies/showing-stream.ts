import type { ShowingStream } from "../../../contract/fault-study.ts";
import { decideRound } from "../../engine/decide-round.ts";
import { roundFigures } from "../../engine/round-figures.ts";
import { contractRules, type Rules } from "../../engine/rules.ts";
import { checksumOf } from "../../engine/write-report.ts";
import { type Documents, validateDocuments } from "../run/documents.ts";
import { recomputeText } from "../run/recompute-text.ts";
import { madeStreams } from "./made-streams.ts";
import { columnsOf, type ListedRequest, streamText } from "./request-list.ts";
import { shrinkStream } from "./shrink-stream.ts";

/** Documents as the engine takes them. */
export type Deciders = Pick<Documents, "contract" | "policy">;

/** A round that is known to show something, with documents of its own. */
export interface KnownRound {
  name: string;
  contract: string;
  policy: string;
  requests: ListedRequest[];
}

const MADE_TRIALS = 4000;
const MADE_TIME_MS = 4000;
const SHRINK = { trials: 1500, time_ms: 5000, plainer: true };
const SEED = 20_261_025;
/** A stream that could not be made smaller than this is not kept: it would be no example. */
const MOST_REQUESTS = 1000;

/** The checksum of a round's figures under some rules: all that a report tells of decisions. */
function figuresChecksum(
  { contract, policy }: Deciders,
  requests: readonly ListedRequest[],
  rules: Rules,
): string {
  const outcome = decideRound(contract, policy, columnsOf(requests), rules);
  return checksumOf(outcome, roundFigures(outcome));
}

/** Whether rules with a fault come to another result than the contract's on a stream. */
export const showsUnder =
  (deciders: Deciders, faulty: Rules) =>
  (requests: readonly ListedRequest[]): boolean =>
    figuresChecksum(deciders, requests, faulty) !== figuresChecksum(deciders, requests, contractRules);

/** Whether the reference decides a stream as the honest engine does, and so otherwise than the faulty one (§5.1). */
async function isConfirmed(deciders: Deciders, requests: ListedRequest[], faulty: Rules): Promise<boolean> {
  const found = await recomputeText(deciders, streamText(requests));
  return (
    found.ok &&
    found.checksum === figuresChecksum(deciders, requests, contractRules) &&
    found.checksum !== figuresChecksum(deciders, requests, faulty)
  );
}

async function smallest(
  deciders: Deciders,
  requests: readonly ListedRequest[],
  faulty: Rules,
  origin: Pick<ShowingStream, "origin" | "case_name" | "documents">,
): Promise<ShowingStream | null> {
  const shrunk = shrinkStream(requests, showsUnder(deciders, faulty), SHRINK);
  if (shrunk.requests.length > MOST_REQUESTS) return null;
  return {
    ...origin,
    requests: shrunk.requests.length,
    stream: streamText(shrunk.requests),
    confirmed: await isConfirmed(deciders, shrunk.requests, faulty),
    is_minimal: shrunk.is_minimal,
  };
}

/** The smallest part of a stream that still shows a fault which the whole stream shows. */
export const smallestPart = (
  deciders: Deciders,
  requests: readonly ListedRequest[],
  faulty: Rules,
): Promise<ShowingStream | null> =>
  smallest(deciders, requests, faulty, { origin: "part", case_name: null, documents: null });

/** A stream made for the same contract and policy that shows a fault; null where the search found none. */
function findMade(deciders: Deciders, faulty: Rules): ListedRequest[] | null {
  const shows = showsUnder(deciders, faulty);
  const end_ms = performance.now() + MADE_TIME_MS;
  let trials = 0;
  for (const requests of madeStreams(deciders.contract, deciders.policy, SEED)) {
    if (trials++ >= MADE_TRIALS || performance.now() > end_ms) return null;
    if (shows(requests)) return requests;
  }
  return null;
}

/**
 * The smallest stream that shows a fault which the stream at hand cannot show: made for the same contract and policy,
 * or, where none was found, the smallest part of a known round that has its own.
 */
export async function smallestShowing(
  deciders: Deciders,
  faulty: Rules,
  known: readonly KnownRound[],
): Promise<ShowingStream | null> {
  const made = findMade(deciders, faulty);
  if (made !== null)
    return smallest(deciders, made, faulty, { origin: "made", case_name: null, documents: null });
  const encoder = new TextEncoder();
  for (const { name, contract, policy, requests } of known) {
    const documents = validateDocuments(encoder.encode(contract), encoder.encode(policy), {
      contract: `${name}: contract`,
      policy: `${name}: policy`,
    });
    if (!documents.ok) throw new Error(`${name} is no round`);
    if (!showsUnder(documents.value, faulty)(requests)) continue;
    return smallest(documents.value, requests, faulty, {
      origin: "case",
      case_name: name,
      documents: { contract, policy },
    });
  }
  return null;
}
