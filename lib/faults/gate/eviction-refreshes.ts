import { debit } from "../../gate/bucket.ts";
import { isRefusal, ServiceBuckets, type Taking } from "../../gate/service-buckets.ts";
import type { GateFault } from "./gate-fault.ts";
import { fillUp, presentBuckets } from "./tamper-bucket.ts";

class Refreshing extends ServiceBuckets {
  override take(...args: Parameters<ServiceBuckets["take"]>): Taking {
    const taking = super.take(...args);
    if (!isRefusal(taking) || taking.reason !== "capacity") return taking;
    const [rules, client] = args;
    const buckets = presentBuckets(this, rules, client);
    for (const bucket of buckets) {
      fillUp(bucket);
      debit(bucket);
    }
    return buckets;
  }
}

export const evictionRefreshes: GateFault = {
  id: "eviction-refreshes",
  clause: "G6",
  title: "A request pushes out its own buckets",
  summary:
    "A request that finds no room pushes out its own buckets, finds them full again, and goes through.",
  Buckets: Refreshing,
};
