import { ServiceBuckets } from "../../gate/service-buckets.ts";
import type { Service } from "../../gate/snapshot.ts";
import type { GateFault } from "./gate-fault.ts";

const unbound = (service: Service): Service => ({
  ...service,
  config: { ...service.config, max_entries: Number.MAX_SAFE_INTEGER },
});

class Unbound extends ServiceBuckets {
  constructor(...[service, tally]: ConstructorParameters<typeof ServiceBuckets>) {
    super(unbound(service), tally);
  }

  override publish(service: Service, now_ms: number): void {
    super.publish(unbound(service), now_ms);
  }
}

export const boundIgnored: GateFault = {
  id: "bound-ignored",
  clause: "G6",
  title: "The bound is not kept",
  summary: "Buckets are made beyond max_entries, so that many clients use up the memory.",
  Buckets: Unbound,
};
