/** What shows a broken reserve (§3.4 step 2) to somebody who was not there. Plain values, as in round-view.ts. */
import type { GroupRow } from "./group.ts";

export interface WitnessStream {
  requests: number;
  /** A canonical stream (§1.3): decided by the round's contract and policy it breaks the same tenant's reserve. */
  stream: string;
  /** How the reference decided each of its groups, in order. */
  groups: GroupRow[];
  /** Whether the reference finds the breach too, by the same arithmetic as the engine. */
  confirmed: boolean;
  /** No request can be left out; false where a bound ended the search. */
  is_minimal: boolean;
}

export interface BreachWitness {
  tenant: string;
  /** Valid requests of the tenant in the round's stream. */
  requests: number;
  /** The tenant's first breach as the honest rules find it; null: by the contract there is none. */
  first: GroupRow | null;
  smallest: WitnessStream | null;
}
