import type { IncomingMessage } from "node:http";
import type { GateState } from "../../contract/gate-admin.ts";
import type { DecisionLog } from "../decision-log/decision-log.ts";
import type { DecisionSink } from "../gate/decision-sink.ts";
import { MemoryFreebies } from "../gate/freebies.ts";
import { Gate } from "../gate/gate.ts";
import { MemoryStore } from "../gate/memory-store.ts";
import { AdminInterface } from "./admin.ts";
import { CheckEndpoint } from "./check.ts";
import { GateControl } from "./control.ts";
import type { Authenticators } from "./credentials/authenticator.ts";
import { Decider } from "./decide-request.ts";
import { DecisionPoint } from "./decision-point.ts";
import { gateState } from "./gate-state.ts";
import { Listener, type Place } from "./listener.ts";
import { GateMetrics } from "./metrics.ts";
import type { Told } from "./open-log.ts";
import type { OpenedStore } from "./open-store.ts";
import { OwnEndpoints } from "./own-endpoints.ts";
import { ReverseProxy } from "./reverse-proxy.ts";
import { ServiceDoor } from "./service-door.ts";
import type { Settings } from "./settings-schema.ts";
import { Tallies } from "./tallies.ts";
import type { VersionHistory } from "./version-history.ts";

/** How often time is let do its part where no request does. */
const SWEEP_MS = 1000;

/** Everything a server is made of, opened and validated. */
export interface Parts {
  readonly settings: Settings;
  readonly history: VersionHistory;
  readonly opened: OpenedStore;
  readonly authenticators: Authenticators;
  readonly sink: DecisionSink | null;
  /** The log that the sink writes, if it does. */
  readonly log: DecisionLog | null;
  readonly adminToken: string;
  readonly report: (error: unknown) => void;
}

/** Where a started gate is reached. */
export interface Places {
  readonly listen: Place;
  readonly endpoints: Place | null;
  readonly admin: Place;
}

/** A gate that serves: its listeners, and what ties them together. */
export class GateServer {
  readonly #parts: Parts;
  readonly #point: DecisionPoint;
  readonly #control: GateControl;
  readonly #metrics: GateMetrics;
  readonly #tallies = new Tallies();
  readonly #proxy: ReverseProxy;
  readonly #door: ServiceDoor;
  readonly #own: OwnEndpoints;
  readonly #admin: Listener;
  readonly #listeners: Listener[] = [];
  readonly #started_ms = Date.now();
  #sweeper: NodeJS.Timeout | undefined;
  #closing: Promise<number> | undefined;
  #places: Places | undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
    const { opened, sink, settings, report, history, authenticators } = parts;
    const gate = new Gate(opened.staged, opened.store, opened.freebies, opened.version, sink);
    const [clock, waits, tallies] = [Date.now, opened.waits, this.#tallies];
    tallies.open(gate.snapshot.services);
    this.#metrics = new GateMetrics({ gate, tallies, figures: opened.figures, report });
    this.#point = new DecisionPoint({ gate, waits, tallies, observe: this.#metrics.observe, clock });
    this.#control = new GateControl({ gate, waits, history, tallies, clock });
    this.#proxy = new ReverseProxy(settings.upstream_timeout_ms);
    const decider = new Decider(this.#point, authenticators);
    const point = this.#point;
    const identity = settings.credentials.trusted_header ?? null;
    this.#door = new ServiceDoor({ decider, point, proxy: this.#proxy, identity, report });
    this.#own = new OwnEndpoints({
      check: new CheckEndpoint({
        ...{ decider, point, report },
        ...{ family: settings.check_headers, holders: settings.holds },
      }),
      metrics: this.#metrics,
      settle: () => this.#sweep(),
      unready: () => this.#unready(),
      report,
    });
    const admin = new AdminInterface({
      control: this.#control,
      token: parts.adminToken,
      state: () => this.state(),
      report,
    });
    this.#admin = new Listener({ request: (request, response) => void admin.serve(request, response) });
  }

  get places(): Places {
    if (this.#places === undefined) throw new Error("the gate does not listen yet");
    return this.#places;
  }

  get version(): number {
    return this.#control.gate.version;
  }

  /** What a log tells of the gate at the end of a file. */
  get told(): Told {
    const { store, freebies } = this.#parts.opened;
    return {
      gate: this.#control.gate,
      store: store instanceof MemoryStore ? store : null,
      freebies: freebies instanceof MemoryFreebies ? freebies : null,
    };
  }

  /** Updates, as the admin interface makes them. */
  get control(): GateControl {
    return this.#control;
  }

  /** The live gate at this moment. */
  state(): Promise<GateState> {
    this.#sweep();
    const { opened } = this.#parts;
    return gateState({
      control: this.#control,
      tallies: this.#tallies,
      figures: opened.figures,
      store: opened.kind,
      started_ms: this.#started_ms,
      clock: Date.now,
      unready: () => this.#unready(),
      log: () => this.#parts.log?.state ?? null,
    });
  }

  #unready(): string | null {
    return this.#closing === undefined ? this.#parts.opened.unready() : "shutting down";
  }

  #sweep(): void {
    this.#parts.opened.moveOn(Date.now());
    this.#parts.log?.timePassed();
    this.#point.sweep();
  }

  #servicesListener(ownToo: boolean): Listener {
    const door = this.#door;
    const ownHandler = (request: IncomingMessage) => (ownToo ? this.#own.handlerOf(request.url!) : null);
    return new Listener({
      request: (request, response) => {
        const handler = ownHandler(request);
        if (handler === null) void door.serve(request, response);
        else handler(request, response);
      },
      expectant: (request, response) => {
        const handler = ownHandler(request);
        if (handler === null) return void door.serve(request, response, true);
        response.writeContinue();
        handler(request, response);
      },
      upgrade: (request, socket, head) => void door.upgrade(request, socket, head),
    });
  }

  #endpointsListener(): Listener {
    return new Listener({
      request: (request, response) => {
        const handler = this.#own.handlerOf(request.url!);
        if (handler !== null) return handler(request, response);
        response.writeHead(404).end();
      },
    });
  }

  /** Begins to listen. Rejects where a place is taken; then nothing listens. */
  async listen(): Promise<Places> {
    const { settings } = this.#parts;
    const { endpoints } = settings;
    const services = this.#servicesListener(endpoints === undefined);
    this.#listeners.push(services, this.#admin);
    try {
      const admin = await this.#admin.listen(settings.admin);
      const listener = endpoints === undefined ? null : this.#endpointsListener();
      if (listener !== null) this.#listeners.push(listener);
      const own = listener === null ? null : await listener.listen(endpoints!);
      this.#places = { admin, endpoints: own, listen: await services.listen(settings.listen) };
    } catch (error) {
      await this.close();
      throw error;
    }
    this.#sweeper = setInterval(() => this.#sweep(), SWEEP_MS);
    this.#sweeper.unref();
    return this.#places;
  }

  /**
   * Takes no more requests, lets those under way come to their end for a while, then ends every admission that is still
   * held. Resolves with how many those were. A second call waits for the first.
   */
  close(): Promise<number> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<number> {
    const grace_ms = this.#parts.settings.shutdown_ms;
    // The second half of the time belongs to requests.
    const sockets = setTimeout(() => this.#proxy.hangUp(), grace_ms / 2);
    await Promise.all(this.#listeners.map((listener) => listener.close(grace_ms)));
    clearTimeout(sockets);
    this.#proxy.close();
    clearInterval(this.#sweeper);
    const ended = await this.#point.endAll();
    await this.#parts.log?.stop();
    this.#parts.opened.close();
    return ended;
  }
}
