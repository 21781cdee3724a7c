import type { IncomingMessage } from "node:http";
import type { GateDecision } from "../gate/decision.ts";
import type { Start } from "../gate/gate.ts";
import type { Answer } from "../gate/store.ts";
import type { Authenticators, Credential } from "./credentials/authenticator.ts";
import type { Decided, DecisionPoint } from "./decision-point.ts";
import type { OriginalRequest } from "./original-request.ts";
import { type Reply, replyTo } from "./reply.ts";

/** A decided request: the decision, the answer that the gate would give itself, and what is held. */
export interface Outcome {
  readonly decision: GateDecision;
  readonly reply: Reply;
  readonly held: string | null;
}

/** What is asked beside the request itself. */
export interface Wanted {
  /** Whether the admission is to stay provisional. */
  readonly hold: boolean;
  /** Whether a gRPC client gets the answer itself. */
  readonly grpc: boolean;
  /** What the gate was when the request came: it is decided by that, however long its credential takes (G8). */
  readonly start: Start;
}

const NO_CHALLENGES: readonly string[] = [];

/** Credential, decision, answer: what every door of the server does with a request. */
export class Decider {
  readonly #point: DecisionPoint;
  readonly #authenticators: Authenticators;

  constructor(point: DecisionPoint, authenticators: Authenticators) {
    this.#point = point;
    this.#authenticators = authenticators;
  }

  /** Decides at once where nothing has to wait. */
  decide(request: IncomingMessage, original: OriginalRequest, wanted: Wanted): Answer<Outcome> {
    const credential = this.#credential(request, original, wanted);
    return credential instanceof Promise
      ? credential.then((found) => this.#decided(original, found, wanted))
      : this.#decided(original, credential, wanted);
  }

  /** The credential that is presented, where the service looks at one (G7). */
  #credential(
    { headers }: IncomingMessage,
    original: OriginalRequest,
    { start }: Wanted,
  ): Answer<Credential | null> {
    if (this.#authenticators.areNone) return null;
    const route = start.live.snapshot.routeOf(original.host, original.path);
    if (route === null || route.service.config.auth === "off") return null;
    return this.#authenticators.authenticate({ headers, trustedPeer: original.trustedPeer });
  }

  #decided(original: OriginalRequest, credential: Credential | null, wanted: Wanted): Answer<Outcome> {
    const token = credential?.valid === true ? credential.id : null;
    const answer = this.#point.decide(original, token, wanted.hold, wanted.start);
    const isInvalid = credential?.valid === false;
    return answer instanceof Promise
      ? answer.then((decided) => this.#outcome(decided, wanted, isInvalid))
      : this.#outcome(answer, wanted, isInvalid);
  }

  #outcome({ decision, held }: Decided, { grpc }: Wanted, isInvalid: boolean): Outcome {
    const challenges =
      decision.verdict === "challenged"
        ? this.#authenticators.challenges(decision.service!.name, isInvalid)
        : NO_CHALLENGES;
    return { decision, held, reply: replyTo(decision, { grpc, challenges }) };
  }
}
