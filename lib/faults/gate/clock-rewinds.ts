import { ServiceBuckets, type Taking } from "../../gate/service-buckets.ts";
import type { GateFault } from "./gate-fault.ts";
import { presentBuckets } from "./tamper-bucket.ts";

class Rewinding extends ServiceBuckets {
  override take(...args: Parameters<ServiceBuckets["take"]>): Taking {
    const [rules, client, now_ms] = args;
    for (const bucket of presentBuckets(this, rules, client))
      bucket.last_ms = Math.min(bucket.last_ms, now_ms);
    return super.take(...args);
  }
}

export const clockRewinds: GateFault = {
  id: "clock-rewinds",
  clause: "G4",
  title: "The clock rewinds a bucket",
  summary: "An earlier time becomes the bucket's time, so that the same milliseconds are earned twice.",
  Buckets: Rewinding,
};
