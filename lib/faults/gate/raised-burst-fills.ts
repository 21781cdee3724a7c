import type { ClientKey } from "../../gate/client.ts";
import { ServiceBuckets, type Taking } from "../../gate/service-buckets.ts";
import type { Service } from "../../gate/snapshot.ts";
import type { GateFault } from "./gate-fault.ts";
import { addTokens } from "./tamper-bucket.ts";

class Raising extends ServiceBuckets {
  readonly #seen = new Set<ClientKey>();
  readonly #bursts = new Map<string, number>();

  override take(...args: Parameters<ServiceBuckets["take"]>): Taking {
    const [rules, client] = args;
    this.#seen.add(client);
    for (const { id, burst } of rules) this.#bursts.set(id, burst);
    return super.take(...args);
  }

  override publish(service: Service, now_ms: number): void {
    super.publish(service, now_ms);
    for (const client of this.#seen)
      for (const bucket of this.find(client)?.buckets ?? []) {
        if (bucket === undefined) continue;
        const { id, burst } = bucket.rule;
        addTokens(bucket, Math.max(0, burst - (this.#bursts.get(id) ?? burst)));
      }
    for (const { id, burst } of service.rules) this.#bursts.set(id, burst);
  }
}

export const raisedBurstFills: GateFault = {
  id: "raised-burst-fills",
  clause: "G8",
  title: "A raised burst fills",
  summary: "Where an update raises a burst, every bucket is given the difference at once.",
  Buckets: Raising,
};
