import type { ClientKey } from "../../gate/client.ts";
import { ServiceBuckets, type Taking } from "../../gate/service-buckets.ts";
import type { GateFault } from "./gate-fault.ts";
import { fillUp } from "./tamper-bucket.ts";

class Refilling extends ServiceBuckets {
  readonly #seen = new Set<ClientKey>();

  override take(...args: Parameters<ServiceBuckets["take"]>): Taking {
    this.#seen.add(args[1]);
    return super.take(...args);
  }

  override publish(...args: Parameters<ServiceBuckets["publish"]>): void {
    super.publish(...args);
    for (const client of this.#seen)
      for (const bucket of this.find(client)?.buckets ?? []) if (bucket !== undefined) fillUp(bucket);
  }
}

export const reloadRefills: GateFault = {
  id: "reload-refills",
  clause: "G8",
  title: "A reload refills",
  summary: "Publishing a configuration makes every bucket full.",
  Buckets: Refilling,
};
