import { isRefusal, ServiceBuckets, type Taking } from "../../gate/service-buckets.ts";
import type { GateFault } from "./gate-fault.ts";

class Stopping extends ServiceBuckets {
  override take(...args: Parameters<ServiceBuckets["take"]>): Taking {
    const taking = super.take(...args);
    if (!isRefusal(taking) || taking.reason !== "rate") return taking;
    return { ...taking, lacking: taking.lacking.slice(0, 1) };
  }
}

export const firstRefusalOnly: GateFault = {
  id: "first-refusal-only",
  clause: "G4",
  title: "Only the first rule that lacked a token is told",
  summary:
    "The search for rules that lack a token stops at the first one, so that denied_by and the wait leave out the others.",
  Buckets: Stopping,
};
