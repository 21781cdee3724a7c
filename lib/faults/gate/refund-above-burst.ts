import { type Bucket, refill } from "../../gate/bucket.ts";
import { ServiceBuckets } from "../../gate/service-buckets.ts";
import type { GateFault } from "./gate-fault.ts";
import { addTokens } from "./tamper-bucket.ts";

class Overflowing extends ServiceBuckets {
  override giveBack(buckets: Bucket[], now_ms: number): void {
    for (const bucket of buckets) {
      if (bucket.gone) continue;
      refill(bucket, now_ms);
      addTokens(bucket, 1);
    }
  }
}

export const refundAboveBurst: GateFault = {
  id: "refund-above-burst",
  clause: "G4",
  title: "A refund above the burst",
  summary: "A cancel gives a token back to a bucket that has become full meanwhile.",
  Buckets: Overflowing,
};
