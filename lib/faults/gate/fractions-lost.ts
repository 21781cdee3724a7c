import { refill } from "../../gate/bucket.ts";
import { ServiceBuckets, type Taking } from "../../gate/service-buckets.ts";
import type { GateFault } from "./gate-fault.ts";
import { presentBuckets } from "./tamper-bucket.ts";

class Dropping extends ServiceBuckets {
  override take(...args: Parameters<ServiceBuckets["take"]>): Taking {
    const [rules, client, now_ms] = args;
    for (const bucket of presentBuckets(this, rules, client)) {
      refill(bucket, now_ms);
      bucket.parts -= bucket.parts % bucket.rule.per_ms;
    }
    return super.take(...args);
  }
}

export const fractionsLost: GateFault = {
  id: "fractions-lost",
  clause: "G4",
  title: "Fractions of a token are lost",
  summary:
    "Each look at a bucket drops what is less than a whole token, so that who asks often never earns one.",
  Buckets: Dropping,
};
