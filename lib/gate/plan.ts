import { type ClientKey, forwardedAddress } from "./client.ts";
import { type GateDecision, type GateRequest, NOTHING } from "./decision.ts";
import type { Rule, Service, Snapshot } from "./snapshot.ts";
import type { Admit, Demand } from "./store.ts";

/** The snapshot that decides, and its version (G8). */
export interface Live {
  readonly version: number;
  readonly snapshot: Snapshot;
}

/**
 * A request whose row of G7 is known: what remains is the freebie, the tokens and the room. It is what is asked of the
 * store too, at its `now_ms`: one object, since one is made for every request.
 */
export interface Plan extends Demand {
  readonly live: Live;
  readonly path: string;
  /** Most free requests where this one would be free (G7); 0: none is counted. */
  readonly freebies: number;
}

/** The row of G7 that applies at a time; a decision where no token is asked for. */
export function planOf(live: Live, request: GateRequest, now_ms: number): Plan | GateDecision {
  const { version } = live;
  const route = live.snapshot.routeOf(request.host, request.path);
  if (route === null)
    return { ...NOTHING, verdict: "unmatched", version, service: null, path: "", rules: [] };
  const { service, path, rules } = route;
  const { auth, price } = service.config;
  let client: ClientKey | null = null;
  let freebies = 0;
  if (auth !== "off" && request.token !== null) client = { kind: "token", value: request.token };
  else {
    if (auth !== "off" && price > 0) {
      if (auth === "on") return { ...NOTHING, verdict: "challenged", version, service, path, rules };
      freebies = auth.freebie;
    }
    client = addressClient(request, service, live.snapshot);
    if (client === null)
      return { ...NOTHING, verdict: "denied", reason: "client", version, service, path, rules };
  }
  const { hold_ms } = live.snapshot.config;
  const { hold } = request;
  return { live, service, path, rules, client, freebies, now_ms, hold, hold_ms, freebie: freebies > 0 };
}

/** The client by whose address a request is limited (G3); null: the address is none. */
export function addressClient(
  { peer, forwardedFor }: GateRequest,
  service: Service,
  { hopAt }: Snapshot,
): ClientKey | null {
  if (forwardedFor === undefined) return service.clientAt(peer);
  const address = forwardedAddress(peer, forwardedFor, hopAt);
  return address === null ? null : service.clientAt(address);
}

const NONE: readonly Rule[] = [];

/** The decision that a store's answer comes to. */
export function decided(plan: Plan, admit: Admit): GateDecision {
  // Written out, since this is made for every request: copying objects field by field would be the larger part of it.
  return {
    verdict: admit.ok ? "allowed" : "denied",
    version: plan.live.version,
    service: plan.service,
    path: plan.path,
    rules: plan.rules,
    client: plan.client,
    reason: admit.ok ? null : admit.reason,
    lacking: admit.ok ? NONE : admit.lacking,
    retry_after_ms: admit.ok ? null : admit.retry_after_ms,
    levels: admit.levels,
    unchecked: admit.ok && admit.unchecked,
  };
}

/** No freebie was left: what asks for a credential (G7). */
export function challenged({ live, service, path, rules }: Plan): GateDecision {
  return { ...NOTHING, verdict: "challenged", version: live.version, service, path, rules };
}

/** A freebie could not be read or counted (G7). `levels`: after the admission was cancelled. */
export function failed(plan: Plan, levels: GateDecision["levels"]): GateDecision {
  const { live, service, path, rules, client } = plan;
  return { ...NOTHING, verdict: "error", version: live.version, service, path, rules, client, levels };
}
