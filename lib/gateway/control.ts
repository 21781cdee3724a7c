import type { GateChange, GateSource } from "../../contract/gate-admin.ts";
import type { GateConfig } from "../../contract/gate-config.ts";
import type { InputProblem, InputResult } from "../../contract/input.ts";
import type { Gate } from "../gate/gate.ts";
import { failure, type Staged, outdated as staleUpdate } from "../gate/update.ts";
import { configChanges } from "./config-changes.ts";
import type { Tallies } from "./tallies.ts";
import type { VersionHistory, VersionRecord } from "./version-history.ts";

/** What an update came to, with why it was refused. */
export type Update =
  | {
      readonly published: true;
      readonly version: number;
      readonly config: GateConfig;
      readonly changes: GateChange[];
    }
  | { readonly published: false; readonly why: "invalid" | "outdated"; readonly problems: InputProblem[] };

/** Where an update comes from. */
export interface Origin {
  readonly source: GateSource;
  readonly note: string;
  readonly file_sha256: string | null;
}

interface ControlOptions {
  readonly gate: Gate;
  readonly waits: boolean;
  readonly history: VersionHistory;
  readonly tallies: Tallies;
  readonly clock: () => number;
}

const outdated = (from: number, version: number) =>
  ({ ...staleUpdate(from, version), why: "outdated" }) as const;

/**
 * Updates of the gate, one after the other (G8): staged, kept in the history, then live. What cannot be kept does not
 * go live, since a restart would undo it.
 */
export class GateControl {
  readonly #options: ControlOptions;
  #last: Promise<unknown> = Promise.resolve();

  constructor(options: ControlOptions) {
    this.#options = options;
  }

  get gate(): Gate {
    return this.#options.gate;
  }

  get history(): VersionHistory {
    return this.#options.history;
  }

  /** Validates a configuration, and changes nothing. */
  stage(value: unknown): InputResult<Staged> {
    return this.gate.stage(value, this.#options.clock());
  }

  /** Validates and publishes a configuration; `from` is the version it was made from. Rejects where the disk fails. */
  update(value: unknown, from: number, origin: Origin): Promise<Update> {
    const turn = this.#last.then(() => this.#update(value, from, origin));
    this.#last = turn.catch(() => {});
    return turn;
  }

  async #update(value: unknown, from: number, origin: Origin): Promise<Update> {
    const { gate, clock } = this.#options;
    const staged = gate.stage(value, clock(), from);
    if (!staged.ok) return { published: false, why: "invalid", problems: staged.problems };
    const { config } = staged.value;
    if (from !== gate.version) {
      const refused = outdated(from, gate.version);
      gate.refuse({ why: "outdated", from, config, problems: refused.problems }, clock());
      return refused;
    }
    const before = gate.config;
    const record = this.#record(staged.value, from + 1, origin);
    try {
      await this.history.add(record);
    } catch (error) {
      gate.refuse({ why: "failed", from, config, problems: [failure(error)] }, clock());
      throw error;
    }
    if (!(await this.#goLive(staged.value, from))) return outdated(from, gate.version);
    return {
      published: true,
      version: gate.version,
      config: gate.config,
      changes: configChanges(before, gate.config),
    };
  }

  /**
   * Goes over to a version that another process published on the shared store (G12), and keeps it too. A version of
   * this number that was kept and did not go live is replaced.
   */
  follow(staged: Staged, version: number): Promise<void> {
    const turn = this.#last.then(async () => {
      const { gate, tallies } = this.#options;
      tallies.open(staged.snapshot.services);
      gate.follow(staged, version);
      await this.history.drop(version);
      await this.history.add(
        this.#record(staged, version, { source: "shared", note: "", file_sha256: null }),
      );
    });
    this.#last = turn.catch(() => {});
    return turn;
  }

  /** Publishes what is kept already, and takes it back where it does not go live: a restart would go on with it. */
  async #goLive(staged: Staged, from: number): Promise<boolean> {
    const { gate, waits, tallies, clock } = this.#options;
    let published = false;
    try {
      ({ published } = waits
        ? await gate.publishLater(staged, clock(), from)
        : gate.publish(staged, clock(), from));
      if (published) tallies.open(staged.snapshot.services);
      return published;
    } finally {
      // Where an answer was lost and it is live after all, the store says so again, and it is kept then.
      if (!published) await this.history.drop(from + 1);
    }
  }

  #record({ config }: Staged, version: number, { source, note, file_sha256 }: Origin): VersionRecord {
    return { version, published_ms: this.#options.clock(), source, note, file_sha256, config };
  }
}
