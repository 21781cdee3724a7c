import { ServiceBuckets, type Taking } from "../../gate/service-buckets.ts";
import type { GateFault } from "./gate-fault.ts";

class Sharing extends ServiceBuckets {
  override take(...[rules, client, now_ms]: Parameters<ServiceBuckets["take"]>): Taking {
    const first = rules.filter(
      (rule, index) => rules.findIndex(({ pattern }) => pattern === rule.pattern) === index,
    );
    return super.take(first, client, now_ms);
  }
}

export const sameExpressionShares: GateFault = {
  id: "same-expression-shares",
  clause: "G2",
  title: "Rules with one expression share a bucket",
  summary:
    "Buckets are kept by the expression of their rule and not by its id, so that two rules with the same one count together.",
  Buckets: Sharing,
};
