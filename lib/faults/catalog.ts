import { denylistIgnored } from "./denylist-ignored.ts";
import { doubleRefill } from "./double-refill.ts";
import { emptyChecks } from "./empty-checks.ts";
import { exitZero } from "./exit-zero.ts";
import { failOpen } from "./fail-open.ts";
import type { Fault } from "./fault.ts";
import { fifoDispatch } from "./fifo-dispatch.ts";
import { floatArithmetic } from "./float-arithmetic.ts";
import { globalReservePool } from "./global-reserve-pool.ts";
import { hardcodedOk } from "./hardcoded-ok.ts";
import { incrementalRefill } from "./incremental-refill.ts";
import { inputOrder } from "./input-order.ts";
import { negativeBalance } from "./negative-balance.ts";
import { queueForever } from "./queue-forever.ts";
import { requestAtATime } from "./request-at-a-time.ts";
import { reserveToZero } from "./reserve-to-zero.ts";
import { selfReference } from "./self-reference.ts";
import { silentBreach } from "./silent-breach.ts";
import { zeroSentinel } from "./zero-sentinel.ts";

/** Every known fault, in the order of §6. */
export const FAULTS: readonly Fault[] = [
  requestAtATime,
  inputOrder,
  fifoDispatch,
  incrementalRefill,
  doubleRefill,
  zeroSentinel,
  reserveToZero,
  silentBreach,
  globalReservePool,
  queueForever,
  denylistIgnored,
  floatArithmetic,
  negativeBalance,
  hardcodedOk,
  exitZero,
  emptyChecks,
  selfReference,
  failOpen,
];
