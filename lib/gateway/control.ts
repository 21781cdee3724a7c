import type { GateChange, GateSource } from "../../contract/gate-admin.ts";
import type { GateConfig } from "../../contract/gate-config.ts";
import type { InputProblem } from "../../contract/input.ts";
import type { Gate } from "../gate/gate.ts";
import type { Staged } from "../gate/update.ts";
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

const outdated = (from: number, version: number): Update => ({
  published: false,
  why: "outdated",
  problems: [{ file: "config", path: "", message: `version ${from} is no longer live; expected ${version}` }],
});

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

  /** Validates and publishes a configuration; `from` is the version it was made from. Rejects where the disk fails. */
  update(value: unknown, from: number, origin: Origin): Promise<Update> {
    const turn = this.#last.then(() => this.#update(value, from, origin));
    this.#last = turn.catch(() => {});
    return turn;
  }

  async #update(value: unknown, from: number, origin: Origin): Promise<Update> {
    const { gate } = this.#options;
    const staged = gate.stage(value);
    if (!staged.ok) return { published: false, why: "invalid", problems: staged.problems };
    if (from !== gate.version) {
      gate.updates.refused += 1;
      return outdated(from, gate.version);
    }
    const before = gate.config;
    const record = this.#record(staged.value, from + 1, origin);
    await this.history.add(record);
    if (!(await this.#publish(staged.value, from))) {
      await this.history.drop(record.version);
      return outdated(from, gate.version);
    }
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

  async #publish(staged: Staged, from: number): Promise<boolean> {
    const { gate, waits, tallies, clock } = this.#options;
    tallies.open(staged.snapshot.services);
    const { published } = waits
      ? await gate.publishLater(staged, clock(), from)
      : gate.publish(staged, clock(), from);
    return published;
  }

  #record({ config }: Staged, version: number, { source, note, file_sha256 }: Origin): VersionRecord {
    return { version, published_ms: this.#options.clock(), source, note, file_sha256, config };
  }
}
