/** What the engine knows of its own result when it claims that it is ok (§4). */
export interface OkClaim {
  /** Valid lines read. */
  requests: number;
  /** Decisions made. */
  decisions: number;
  accepted: number;
  queued: number;
  rejected: number;
  /** Lowest closing balance of any bucket, tokens; 0 where there is none. */
  lowest_balance: number;
  /** What the buckets say was used, in millionths. */
  usedMicro: bigint;
  /** Σ cost of the accepted decisions, in millionths. */
  acceptedCostMicro: bigint;
}

/** §4 `ok`: decisions = requests read, counts add up, no balance below 0, used = Σ cost of what was accepted. */
export function claimOk(claim: OkClaim): boolean {
  return (
    claim.decisions === claim.requests &&
    claim.accepted + claim.queued + claim.rejected === claim.requests &&
    claim.lowest_balance >= 0 &&
    claim.usedMicro === claim.acceptedCostMicro
  );
}
