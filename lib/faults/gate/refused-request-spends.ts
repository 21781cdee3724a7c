import { debit, lacksToken } from "../../gate/bucket.ts";
import { isRefusal, ServiceBuckets, type Taking } from "../../gate/service-buckets.ts";
import type { GateFault } from "./gate-fault.ts";
import { presentBuckets } from "./tamper-bucket.ts";

class Spending extends ServiceBuckets {
  override take(...args: Parameters<ServiceBuckets["take"]>): Taking {
    const taking = super.take(...args);
    if (!isRefusal(taking)) return taking;
    const [rules, client] = args;
    for (const bucket of presentBuckets(this, rules, client)) if (!lacksToken(bucket)) debit(bucket);
    return taking;
  }
}

export const refusedRequestSpends: GateFault = {
  id: "refused-request-spends",
  clause: "G4",
  title: "A refused request spends",
  summary: "Rules are reserved one by one, so that a request which one rule refuses has debited the others.",
  Buckets: Spending,
};
