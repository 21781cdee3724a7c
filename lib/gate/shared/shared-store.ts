import type { GateEnd } from "../../../contract/gate-reasons.ts";
import type { Live } from "../plan.ts";
import type { Rule, Service, Snapshot } from "../snapshot.ts";
import type {
  Admit,
  Demand,
  Ended,
  Founded,
  Publishing,
  Store,
  StoreObserver,
  StoreState,
} from "../store.ts";
import { type Staged, stageConfig } from "../update.ts";
import { clientFromText, clientText } from "./client-text.ts";
import { StoreUnavailable } from "./connection.ts";
import { countsFrom } from "./counts.ts";
import { levelFrom, unknownRule } from "./level.ts";
import { liveAt, type Place, publishAt } from "./live-version.ts";
import { SharedFreebies } from "./shared-freebies.ts";

/** Who is told what happens elsewhere. */
export interface SharedEvents {
  /** Another process has published: for `Gate.follow`. */
  readonly onPublished?: (staged: Staged, version: number) => void;
  /** What an operator should know, in words: a server that lost what it held, a version that cannot be taken over. */
  readonly report?: (message: string) => void;
}

/**
 * Buckets and admissions of all processes that share a server (G12): each call is one script, which is one step for all
 * of them. Whatever the server does, a call is over within the time allowed; `admit` then denies or allows as the
 * service says, the others reject with `StoreUnavailable`.
 */
export class SharedStore implements Store<true> {
  /** Free requests of the same processes (G7). */
  readonly freebies: SharedFreebies;
  readonly #place: Place;
  readonly #events: SharedEvents;
  #live: Live;
  #catchingUp: Promise<void> | null = null;
  #observer: StoreObserver | null = null;
  /** What happened before anybody was to be told. */
  #untold: Founded[] = [];

  /** `founded`: where the store held nothing before. */
  constructor(place: Place, live: Live, events: SharedEvents, founded: Founded | null) {
    if (founded !== null) this.#untold.push(founded);
    this.#place = place;
    this.#live = live;
    this.#events = events;
    this.freebies = new SharedFreebies(place.connection, place.key);
  }

  /** The version that is known to be live (G8). */
  get version(): number {
    return this.#live.version;
  }

  observe(observer: StoreObserver): void {
    this.#observer = observer;
    for (const founded of this.#untold) observer.founded(founded);
    this.#untold = [];
  }

  async admit(demand: Demand): Promise<Admit> {
    // To a script, no text stands for no hold: it must not commit at once what was to be held.
    if (demand.hold === "") throw new Error("the id of an admission is empty");
    // Nothing to debit and nothing to hold: neither a bucket nor a call (G4).
    if (demand.rules.length === 0 && !(demand.hold !== null && demand.freebie))
      return { ok: true, levels: [], unchecked: false };
    try {
      return await this.#admit(demand);
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error;
      return this.#unreached(demand.service);
    }
  }

  async #admit(demand: Demand): Promise<Admit> {
    const { service, rules, client, now_ms, hold, hold_ms, freebie } = demand;
    const [how, version, order, wait_ms, places, ...shown] = await this.#run("admit", now_ms, () => {
      const known = this.#live;
      return [
        String(known.snapshot.services.includes(service) ? known.version : 0),
        service.name,
        clientText(client),
        hold ?? "",
        String(hold_ms),
        freebie ? "1" : "",
        ...rules.map(({ id }) => id),
      ];
    });
    if (how === "used") throw new Error(`the admission id is in use: ${hold}`);
    this.#heard(Number(version), now_ms);
    const levels = rules.flatMap((rule, place) =>
      // Of limits that are not those of this request's snapshot the server tells all.
      shown[place] ? levelFrom(shown[place], () => rule) : [],
    );
    if (how === "ok") return { order: order!, ok: true, levels, unchecked: false };
    if (how === "capacity")
      return { order: order!, ok: false, reason: how, lacking: [], retry_after_ms: null, levels };
    // An answer that no script gives is none.
    if (how !== "rate") return this.#unreached(service);
    const lacking = places!.split(",").map((place) => rules[Number(place) - 1]!);
    return { order: order!, ok: false, reason: how, lacking, retry_after_ms: Number(wait_ms), levels };
  }

  /** What a service does where the store cannot be asked (G12). */
  #unreached(service: Service): Admit {
    if (service.config.on_unavailable === "allow") return { ok: true, levels: [], unchecked: true };
    return { ok: false, reason: "unavailable", lacking: [], retry_after_ms: null, levels: [] };
  }

  async end(id: string, how: "committed" | "cancelled", now_ms: number, forget = false): Promise<Ended> {
    const [ended, order, ...rest] = (await this.#run("end", now_ms, () => [id, how, forget ? "1" : ""])) as [
      string,
      string,
      ...string[],
    ];
    if (ended === "unknown") return { order, ended };
    if (ended === "already") return { order, ended, was: rest[0] as GateEnd };
    const [freebie, service, client, ...shown] = rest as [string, string, string, ...string[]];
    const live = this.#live;
    const ruleOf = (ruleId: string | undefined) => ruleAt(live, service, ruleId) ?? unknownRule(ruleId!);
    return {
      order,
      ended: how,
      levels: shown.map((one) => levelFrom(one, ruleOf)),
      freebie: freebie === "1" ? { service, client: clientFromText(client) } : null,
    };
  }

  async publish(snapshot: Snapshot, now_ms: number, from: number): Promise<Publishing> {
    const answer = await publishAt(this.#place, snapshot, now_ms, from, from + 1);
    if (answer.published && answer.version > this.version) this.#live = { snapshot, version: answer.version };
    if (!answer.published) this.#heard(answer.version, now_ms);
    return answer;
  }

  /**
   * Lets time come to `now_ms`, and counts: ledger, evictions and buckets by service, of all processes together and of
   * services long gone too (G4, G10).
   */
  async counts(now_ms: number): Promise<Map<string, StoreState & { buckets: number }>> {
    const [version, order, moved, ...fields] = await this.#run("count", now_ms, () => []);
    this.#heard(Number(version), now_ms);
    const counts = countsFrom(fields);
    this.#observer?.counted({ time_ms: now_ms, order: order!, moved: moved === "1", counts });
    return counts;
  }

  /** Why the store cannot be asked now; null: it can. */
  unready(): string | null {
    return this.#place.connection.isReady ? null : "the shared store cannot be reached";
  }

  close(): void {
    this.#place.connection.close();
  }

  /** Runs a script; where the server has lost what it held, it is told the live version again, and asked once more. */
  async #run(script: "admit" | "end" | "count", now_ms: number, args: () => string[]): Promise<string[]> {
    const { connection, key } = this.#place;
    const ask = async () => (await connection.run(script, key, [String(now_ms), ...args()])) as string[];
    const answer = await ask();
    if (answer[0] !== "lost") return answer;
    await this.#restore(now_ms, 0);
    const again = await ask();
    if (again[0] !== "lost") return again;
    this.#events.report?.(
      "the shared store has lost a part of what it held: nothing is admitted until it is emptied",
    );
    throw new StoreUnavailable("the server has lost a part of what it held");
  }

  /** A server that was restarted without its data is told the live version again. What it held is lost: buckets are full. */
  async #restore(now_ms: number, from: number): Promise<void> {
    const { snapshot, version } = this.#live;
    const { published, order } = await publishAt(this.#place, snapshot, now_ms, from, version);
    if (order !== undefined) this.#found({ snapshot, version, time_ms: now_ms, order });
    if (published)
      this.#events.report?.(
        `the shared store had lost ${from === 0 ? "everything: all buckets are full" : `what came after version ${from}`}; version ${version} is live again`,
      );
  }

  #found(founded: Founded): void {
    if (this.#observer === null) this.#untold.push(founded);
    else this.#observer.founded(founded);
  }

  /** A version that a script named. A newer one was published by another process; an older one is what a server fell back to. */
  #heard(version: number, now_ms: number): void {
    if (version === this.version || this.#catchingUp !== null) return;
    const work = version > this.version ? this.#catchUp() : this.#restore(now_ms, version);
    this.#catchingUp = work
      .catch((error: Error) => {
        this.#events.report?.(
          `version ${version} is live on the shared store and cannot be taken over: ${error.message}`,
        );
      })
      .finally(() => {
        this.#catchingUp = null;
      });
  }

  async #catchUp(): Promise<void> {
    const { version, config } = await liveAt(this.#place);
    const staged = stageConfig(config);
    if (!staged.ok)
      throw new Error(staged.problems.map(({ path, message }) => `${path} ${message}`).join("; "));
    if (version <= this.version) return;
    this.#live = { snapshot: staged.value.snapshot, version };
    this.#events.onPublished?.(staged.value, version);
  }
}

const ruleAt = ({ snapshot }: Live, service: string, ruleId: string | undefined): Rule | undefined =>
  snapshot.services.find(({ name }) => name === service)?.rules.find(({ id }) => id === ruleId);
