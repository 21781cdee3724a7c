import type { LogDecision, LogHeader } from "../../../contract/decision-log.ts";
import type { GateConfig } from "../../../contract/gate-config.ts";
import type { DryRunFlip, DryRunResult, DryRunVerdict, FlipCount } from "../../../contract/gate-dry-run.ts";
import type { AuditedStore } from "../../reference/gate/audit/audited-store.ts";
import type { ExpectedDecision } from "../../reference/gate/audit/expected-decision.ts";
import { auditor } from "../../reference/gate/audit.ts";
import { referenceTools } from "./conform-gate.ts";
import type { LogPlace, LogSource } from "./log-source.ts";
import { readDecisionLog } from "./read-decision-log.ts";
import { placeOf, SharedStores, type SharedTurn } from "./shared-stores.ts";

export interface DryRunOptions {
  /** Most flips, and most clients, that are told. */
  readonly first: number;
}

/**
 * What a configuration would have done to a recorded stretch (G8): every request is decided twice by the reference,
 * under what was live when it came and under `config`, each with buckets of its own, and requests that flip are counted
 * by rule and by client, both ways. The stretch may still be written, and may begin in the middle of the gate's life.
 * @param config validated, in normal form
 */
export async function dryRunGate(
  sources: readonly LogSource[],
  config: GateConfig,
  { first }: DryRunOptions,
): Promise<DryRunResult> {
  const flips = new Flips(config, first);
  const shared = flips.shared;
  const { gaps, span } = await readDecisionLog(sources, {
    isOpen: true,
    fromMiddle: true,
    shared,
    follow: (header) => flips.follow(header),
  });
  return { ...flips.result(), gaps, span };
}

const VERDICTS = ["allowed", "denied", "challenged", "error", "unmatched"] as const;
const zeros = (): Record<DryRunVerdict["verdict"], number> =>
  Object.fromEntries(VERDICTS.map((verdict) => [verdict, 0])) as Record<DryRunVerdict["verdict"], number>;

const verdictOf = ({ verdict, service, reason, denied_by }: ExpectedDecision): DryRunVerdict => ({
  verdict,
  service,
  reason,
  denied_by,
});

/** What refuses a request: the rules that lack a token, or else the kind of refusal. */
const refusers = ({ verdict, reason, denied_by }: DryRunVerdict): readonly string[] =>
  denied_by.length > 0
    ? denied_by
    : [verdict === "denied" ? (reason === "capacity" ? "(room)" : `(${reason})`) : `(${verdict})`];

interface Count {
  service: string | null;
  name: string;
  newly_allowed: number;
  newly_refused: number;
}

/** Counts by two names of a stranger's, neither of which is a key of an object. */
class Counts {
  readonly #byService = new Map<string | null, Map<string, Count>>();

  add(service: string | null, name: string, way: "newly_allowed" | "newly_refused"): void {
    const byName = this.#byService.get(service) ?? new Map<string, Count>();
    this.#byService.set(service, byName);
    const count = byName.get(name) ?? { service, name, newly_allowed: 0, newly_refused: 0 };
    byName.set(name, count);
    count[way] += 1;
  }

  most(limit: number): FlipCount[] {
    const total = (count: Count) => count.newly_allowed + count.newly_refused;
    const all = [...this.#byService.values()].flatMap((byName) => [...byName.values()]);
    return all.sort((a, b) => total(b) - total(a)).slice(0, limit);
  }
}

class Flips {
  readonly shared = new SharedStores(Date.now());
  /** What a shared store would have come to, by its life. */
  readonly #instead = new Map<string, AuditedStore>();
  #lastLife = "";
  readonly #config: GateConfig;
  readonly #most: number;
  readonly #before = zeros();
  readonly #after = zeros();
  readonly #rules = new Counts();
  readonly #clients = new Counts();
  readonly #first: DryRunFlip[] = [];
  readonly #ways = { newly_allowed: 0, newly_refused: 0, otherwise: 0 };
  #decisions = 0;
  #unknown = 0;
  #opening: DryRunResult["opening"] = "known";

  constructor(config: GateConfig, most: number) {
    this.#config = config;
    this.#most = most;
  }

  /** What was not asked of the store, but would have been, comes after what was asked last. */
  #storeInstead = (order: string | null): AuditedStore | null => {
    const life = order === null ? this.#lastLife : placeOf(order).life;
    this.#lastLife = life;
    const store = this.#instead.get(life) ?? { machine: null };
    if (life !== "") this.#instead.set(life, store);
    return store.machine === null && order === null ? null : store;
  };

  follow({ freebies, file, store, state }: LogHeader): SharedTurn {
    const isShared = store === "shared";
    if (file > 0 && this.#opening !== "full") this.#opening = state === true ? "stated" : "full";
    // What each side found of a decision whose other side is not done yet.
    const lived = new Map<number, ExpectedDecision>();
    let live: GateConfig | null = null;
    let place: LogPlace = { file: "", line: 0 };
    const asItWas = auditor(referenceTools(), {
      freebies,
      ...(isShared ? { storeOf: this.shared.storeOf } : {}),
      decided: (logged, expected) => lived.set(logged.seq, expected),
    });
    const asItWould = auditor(referenceTools(), {
      freebies,
      instead: this.#config,
      ...(isShared ? { storeOf: this.#storeInstead } : {}),
      decided: (logged, expected) => {
        waiting.set(logged.seq, expected);
      },
    });
    const waiting = new Map<number, ExpectedDecision>();
    const compare = (one: LogDecision): void => {
      const [before, after] = [lived.get(one.seq), waiting.get(one.seq)];
      if (before === undefined || after === undefined) return;
      lived.delete(one.seq);
      waiting.delete(one.seq);
      this.#compare(one, before, after, live, place);
    };
    return {
      learn: (event) => {
        asItWas.learn(event);
        asItWould.learn(event);
        live = event.config as GateConfig;
      },
      readFreebie: (event) => {
        asItWas.readFreebie(event);
        asItWould.readFreebie(event);
      },
      countFreebie: (event, at) => {
        place = at;
        asItWas.countFreebie(event);
        asItWould.countFreebie(event);
        compare(event);
      },
      returnFreebie: (event) => {
        asItWas.returnFreebie(event);
        asItWould.returnFreebie(event);
      },
      // What differs from what was published is for the audit to say.
      strayed: () => {},
      play: (event, at) => {
        place = at;
        asItWas.play(event);
        asItWould.play(event);
        if (event.line === "publish" || event.line === "state") live = event.config as GateConfig;
        if (event.line === "decision") compare(event);
      },
      settle: (event, at) => {
        place = at;
        asItWas.settle(event);
        asItWould.settle(event);
        compare(event);
      },
    };
  }

  /** Whether the log holds the client by which the configuration limits a request. */
  #isKnown({ client, service }: ExpectedDecision, live: GateConfig | null): boolean {
    if (client === null || service === null) return true;
    if (client.endsWith("…")) return false;
    if (client.startsWith("token:")) return true;
    const prefixOf = (config: GateConfig | null) =>
      config?.services.find(({ name }) => name === service)?.client_prefix;
    const [was, is] = [prefixOf(live), prefixOf(this.#config)];
    return was === undefined || (was.v4 === is?.v4 && was.v6 === is.v6);
  }

  #compare(
    one: LogDecision,
    before: ExpectedDecision,
    after: ExpectedDecision,
    live: GateConfig | null,
    place: LogPlace,
  ): void {
    this.#decisions += 1;
    if (!this.#isKnown(after, live)) {
      this.#unknown += 1;
      return;
    }
    this.#before[before.verdict] += 1;
    this.#after[after.verdict] += 1;
    const [was, is] = [verdictOf(before), verdictOf(after)];
    if ((was.verdict === "allowed") === (is.verdict === "allowed")) {
      if (refusers(was).join("\n") !== refusers(is).join("\n")) this.#ways.otherwise += 1;
      return;
    }
    const way = is.verdict === "allowed" ? "newly_allowed" : "newly_refused";
    this.#ways[way] += 1;
    const refused = way === "newly_allowed" ? was : is;
    for (const name of refusers(refused)) this.#rules.add(refused.service, name, way);
    this.#clients.add(refused.service, one.client ?? "(no address)", way);
    if (this.#first.length < this.#most)
      this.#first.push({ ...place, at: one.at, path: one.path, client: one.client, before: was, after: is });
  }

  result(): Omit<DryRunResult, "gaps" | "span"> {
    return {
      decisions: this.#decisions,
      unknown: this.#unknown,
      ...this.#ways,
      before: this.#before,
      after: this.#after,
      rules: this.#rules.most(Number.POSITIVE_INFINITY),
      clients: this.#clients.most(this.#most),
      first: this.#first,
      opening: this.#opening,
    };
  }
}
