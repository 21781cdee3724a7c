import { ServiceBuckets } from "../../gate/service-buckets.ts";
import type { GateFault } from "./gate-fault.ts";

class Silent extends ServiceBuckets {
  constructor(...[service, tally]: ConstructorParameters<typeof ServiceBuckets>) {
    super(service, Object.create(tally, { evictions: { value: { full: 0, lossy: 0 } } }));
  }
}

export const evictionsUncounted: GateFault = {
  id: "evictions-uncounted",
  clause: "G6",
  title: "Evictions are not counted",
  summary:
    "Buckets that were forgotten before they were full are in no count, so that nobody sees limits being lost.",
  Buckets: Silent,
};
