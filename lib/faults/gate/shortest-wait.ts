import { lacksToken, waitOf } from "../../gate/bucket.ts";
import { isRefusal, ServiceBuckets, type Taking } from "../../gate/service-buckets.ts";
import type { GateFault } from "./gate-fault.ts";
import { presentBuckets } from "./tamper-bucket.ts";

class Hasty extends ServiceBuckets {
  override take(...args: Parameters<ServiceBuckets["take"]>): Taking {
    const taking = super.take(...args);
    if (!isRefusal(taking) || taking.reason !== "rate") return taking;
    const [rules, client] = args;
    const lacking = presentBuckets(this, rules, client).filter(lacksToken);
    return { ...taking, retry_after_ms: Math.min(...lacking.map(waitOf)) };
  }
}

export const shortestWait: GateFault = {
  id: "shortest-wait",
  clause: "G4",
  title: "The shortest wait is told",
  summary: "Of several rules that lack a token, the one that has one again first tells the wait.",
  Buckets: Hasty,
};
