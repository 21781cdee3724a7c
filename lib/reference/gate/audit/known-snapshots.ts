import type { LogDecision, LogPublish, LogState } from "../../../../contract/decision-log.ts";
import type { GateConfig } from "../../../../contract/gate-config.ts";
import type { ReplayTools } from "../replay.ts";
import { route } from "../route.ts";
import { NO_SNAPSHOT } from "./audited-store.ts";

/** A snapshot by which the gate goes from a `seq` on. */
export interface Known {
  readonly seq: number;
  readonly version: number;
  readonly config: GateConfig;
}

/** Where a request goes: its service and the rules that match (G1, G2); null: none serves it. */
export type Target = ReturnType<typeof route>;

/** The snapshots that a log tells of, in its order: the one that was live when a request came decides it (G8). */
export class KnownSnapshots {
  readonly #tools: ReplayTools;
  readonly #instead: GateConfig | undefined;
  readonly #known: Known[] = [];
  /** Whether the first of them is what the gate states to be live, and not all that was live before is known. */
  #isStated = false;

  /** @param instead a configuration under which everything is decided, whatever was live */
  constructor(tools: ReplayTools, instead: GateConfig | undefined) {
    this.#tools = tools;
    this.#instead = instead;
  }

  /** Whether everything is decided under one configuration, whatever was live. */
  get isReplaced(): boolean {
    return this.#instead !== undefined;
  }

  /** The configuration that counts where this one was published, in normal form; null: it must be refused (G1). */
  accept(config: unknown): GateConfig | null {
    return this.#instead ?? this.#tools.accept(config);
  }

  /** The gate goes by this snapshot from now on. What is refused, and what it goes by already, changes nothing. */
  learn({ seq, version, config, founded }: LogPublish): void {
    if (this.#known.some((known) => known.seq === seq)) return;
    if (founded === true || (this.isReplaced && this.#known.length > 0)) return;
    const accepted = this.accept(config);
    if (accepted !== null) this.#known.push({ seq, version, config: accepted });
  }

  /** The judging begins with a snapshot that is live: it, and what decides instead of it. Null: it must be refused (G1). */
  begin({ seq, version, config }: LogState): { live: GateConfig; decides: GateConfig } | null {
    const live = this.#tools.accept(config);
    if (live === null) return null;
    const decides = this.#instead ?? live;
    this.#known.push({ seq, version, config: decides });
    this.#isStated = !this.isReplaced;
    return { live, decides };
  }

  /** By what a request is decided (G8), and where it goes (G1, G2). Throws where no snapshot is known. */
  of(one: LogDecision): { known: Known; target: Target } {
    const known = this.at(one.began ?? one.seq);
    if (this.#isStated && (one.began ?? one.seq) < known.seq && one.version !== known.version)
      throw new Error(`a request began under version ${one.version}, which no line here tells`);
    return { known, target: route(known.config, one, this.#tools.matches) };
  }

  /** By what the gate went after it did what `seq` numbers. Throws where no snapshot is known. */
  at(seq: number): Known {
    const known = this.#known.findLast((one) => one.seq <= seq) ?? this.#known[0];
    if (known === undefined) throw new Error(NO_SNAPSHOT);
    return known;
  }
}
