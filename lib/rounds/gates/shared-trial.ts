import type { GateRequestStep, GateStep } from "../../../contract/gate-case.ts";
import { LogKey } from "../../decision-log/log-key.ts";
import { closedText, LogText } from "../../decision-log/log-text.ts";
import { FailingFreebies, stagedCase } from "../../gate/conform.ts";
import type { FreebieStore } from "../../gate/freebies.ts";
import { Gate } from "../../gate/gate.ts";
import { Connection, SCRIPTS, type Scripts } from "../../gate/shared/connection.ts";
import { joinSharedStore } from "../../gate/shared/open-shared-store.ts";
import type { SharedStore } from "../../gate/shared/shared-store.ts";

/** A machine that is busy with other things is no store that is away. */
const TIMEOUT_MS = 10_000;

/** A gate on a store that others share, and its decision log (G11, G12). */
export class SharedTrial {
  readonly gate: Gate;
  readonly store: SharedStore;
  readonly #freebies: FailingFreebies;
  readonly #log: LogText;

  private constructor(gate: Gate, store: SharedStore, freebies: FailingFreebies, log: LogText) {
    this.gate = gate;
    this.store = store;
    this.#freebies = freebies;
    this.#log = log;
  }

  /**
   * Joins the store of a prefix, or begins it.
   * @param secret key of the log's hashes
   * @param scripts what it runs on the server; known faults bring their own
   * @param freebiesOf what counts free requests in place of the store
   */
  static async join(
    url: string,
    prefix: string,
    config: unknown,
    now_ms: number,
    secret: string,
    scripts: Scripts = SCRIPTS,
    timeout_ms = TIMEOUT_MS,
    freebiesOf = (honest: FreebieStore): FreebieStore => honest,
  ): Promise<SharedTrial> {
    const connection = await Connection.open(url, timeout_ms, scripts);
    const staged = stagedCase(config);
    const place = { connection, key: `{${prefix}}` };
    const store = await joinSharedStore(place, staged.snapshot, now_ms, 1, {
      onPublished: (newer, version) => gate.follow(newer, version),
    });
    const freebies = new FailingFreebies(freebiesOf(store.freebies));
    const log = new LogText("shared", "shared", new LogKey(secret));
    const gate: Gate = new Gate(staged, store, freebies, store.version, log);
    return new SharedTrial(gate, store, freebies, log);
  }

  /** Does what a step of a case says (G13). */
  async step(step: GateStep): Promise<void> {
    if (step.op === "request") await this.#request(step);
    else if (step.op === "publish") await this.gate.updateLater(step.config, step.at);
    else await this.gate.endLater(step.of, step.op === "commit" ? "committed" : "cancelled", step.at);
  }

  async #request(step: GateRequestStep): Promise<void> {
    this.#freebies.fails = step.freebie_fails === true;
    const { path, host = "", ip: peer, token = null, at } = step;
    const hold = step.hold === true ? step.as! : null;
    await this.gate.decideInOrder({ host, path, peer, token, hold }, () => at);
  }

  /** The log so far, as a closed file. */
  get text(): string {
    return closedText(this.#log.lines);
  }

  close(): void {
    this.store.close();
  }
}
