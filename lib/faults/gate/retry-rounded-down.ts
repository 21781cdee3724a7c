import { lacksToken } from "../../gate/bucket.ts";
import { isRefusal, ServiceBuckets, type Taking } from "../../gate/service-buckets.ts";
import type { GateFault } from "./gate-fault.ts";
import { presentBuckets } from "./tamper-bucket.ts";

class RoundingDown extends ServiceBuckets {
  override take(...args: Parameters<ServiceBuckets["take"]>): Taking {
    const taking = super.take(...args);
    if (!isRefusal(taking) || taking.reason !== "rate") return taking;
    const [rules, client] = args;
    const waits = presentBuckets(this, rules, client)
      .filter((bucket) => bucket.wide === null && lacksToken(bucket))
      .map(({ rule, parts }) => Math.floor((rule.per_ms - parts) / rule.requests));
    return { ...taking, retry_after_ms: Math.max(0, ...waits) };
  }
}

export const retryRoundedDown: GateFault = {
  id: "retry-rounded-down",
  clause: "G4",
  title: "The wait is rounded down",
  summary:
    "Who comes back after the wait that was told is refused again, a fraction of a millisecond too early.",
  Buckets: RoundingDown,
};
