import { boundIgnored } from "./bound-ignored.ts";
import { clockRewinds } from "./clock-rewinds.ts";
import { doubleRefund } from "./double-refund.ts";
import { evictionRefreshes } from "./eviction-refreshes.ts";
import { evictionsUncounted } from "./evictions-uncounted.ts";
import { expiryGivesBack } from "./expiry-gives-back.ts";
import { failedFreebieSpends } from "./failed-freebie-spends.ts";
import { firstRefusalOnly } from "./first-refusal-only.ts";
import { fractionsLost } from "./fractions-lost.ts";
import { freebieKeptOnCancel } from "./freebie-kept-on-cancel.ts";
import { freebieSpentOnRefusal } from "./freebie-spent-on-refusal.ts";
import type { GateFault } from "./gate-fault.ts";
import { holdIgnored } from "./hold-ignored.ts";
import { priceZeroGoesRound } from "./price-zero-goes-round.ts";
import { raisedBurstFills } from "./raised-burst-fills.ts";
import { refundAboveBurst } from "./refund-above-burst.ts";
import { refusedRequestSpends } from "./refused-request-spends.ts";
import { reloadRefills } from "./reload-refills.ts";
import { retryRoundedDown } from "./retry-rounded-down.ts";
import { sameExpressionShares } from "./same-expression-shares.ts";
import { shortestWait } from "./shortest-wait.ts";
import { stateMisstated } from "./state-misstated.ts";
import { updateHalfApplied } from "./update-half-applied.ts";

/** Every known fault of the live limiter, in the order of the clauses. */
export const GATE_FAULTS: readonly GateFault[] = [
  refusedRequestSpends,
  refundAboveBurst,
  doubleRefund,
  evictionRefreshes,
  reloadRefills,
  sameExpressionShares,
  clockRewinds,
  freebieSpentOnRefusal,
  updateHalfApplied,
  retryRoundedDown,
  shortestWait,
  firstRefusalOnly,
  fractionsLost,
  expiryGivesBack,
  boundIgnored,
  evictionsUncounted,
  raisedBurstFills,
  holdIgnored,
  freebieKeptOnCancel,
  failedFreebieSpends,
  priceZeroGoesRound,
  stateMisstated,
];
