import { Counter, Gauge, Registry } from "prom-client";
import { GATE_ENDS, GATE_REASONS } from "../../contract/gate-reasons.ts";
import type { Gate } from "../gate/gate.ts";
import type { Answer, StoreState } from "../gate/store.ts";
import { Durations } from "./durations.ts";
import type { StoreFigures } from "./store-figures.ts";
import type { Tallies, Tally } from "./tallies.ts";

const PREFIX = "tenantthrottle_gate_";
/** Decisions in memory take microseconds, those of a shared store milliseconds. */
const SECONDS = [
  1e-6, 2.5e-6, 5e-6, 1e-5, 2.5e-5, 5e-5, 1e-4, 2.5e-4, 5e-4, 1e-3, 5e-3, 0.025, 0.1, 0.5, 2.5,
];

/** Where the metrics are read from, at the moment of the scrape. */
export interface MetricSources {
  readonly gate: Gate;
  readonly tallies: Tallies;
  readonly figures: StoreFigures;
  /** Told of figures that could not be read; their samples are then left out, since 0 would be a lie. */
  readonly report: (error: unknown) => void;
}

type Labels = Record<string, string>;
type Sample = readonly [Labels, number];

/** The metrics of the gate (G10). No label ever holds a client, or a path or host from a request. */
export class GateMetrics {
  readonly registry = new Registry();
  readonly #sources: MetricSources;
  readonly #seconds = new Durations(`${PREFIX}decision_seconds`, "How long a decision took", SECONDS);

  constructor(sources: MetricSources) {
    this.#sources = sources;
    this.#decisions();
    this.#store();
    this.#updates();
    this.registry.registerMetric(this.#seconds.metric);
  }

  /** Takes note of how long a decision took. */
  readonly observe = (seconds: number): void => this.#seconds.observe(seconds);

  /** What could be read; nothing where it could not. */
  #settled(read: () => Answer<Sample[]>): () => Promise<Sample[]> {
    return async () => {
      try {
        return await read();
      } catch (error) {
        this.#sources.report(error);
        return [];
      }
    };
  }

  /** A counter whose values are read when it is asked for. */
  #counter(name: string, help: string, labelNames: string[], read: () => Answer<Sample[]>): void {
    const settled = this.#settled(read);
    new Counter({
      name: PREFIX + name,
      help,
      labelNames,
      registers: [this.registry],
      async collect() {
        const samples = await settled();
        this.reset();
        for (const [labels, value] of samples) this.inc(labels, value);
      },
    });
  }

  #gauge(name: string, help: string, labelNames: string[], read: () => Answer<Sample[]>): void {
    const settled = this.#settled(read);
    new Gauge({
      name: PREFIX + name,
      help,
      labelNames,
      registers: [this.registry],
      async collect() {
        const samples = await settled();
        this.reset();
        for (const [labels, value] of samples) this.set(labels, value);
      },
    });
  }

  #decisions(): void {
    const { services } = this.#sources.tallies;
    const read = (kind: "patterns" | "rules", label: string, count: keyof Tally) => (): Sample[] =>
      [...services].flatMap(([service, tallies]) =>
        [...tallies[kind]].map(([key, tally]): Sample => [{ service, [label]: key }, tally[count]]),
      );
    for (const verdict of ["allowed", "denied"] as const) {
      this.#counter(
        `${verdict}_total`,
        `Requests ${verdict}, one for each rule that matched, by the rule's expression`,
        ["service", "path_pattern"],
        read("patterns", "path_pattern", verdict),
      );
      this.#counter(
        `rule_${verdict}_total`,
        verdict === "allowed"
          ? "Requests allowed, by rule"
          : "Requests denied, by the rules that lacked a token",
        ["service", "rule"],
        read("rules", "rule", verdict),
      );
    }
    this.#counter("denied_by_reason_total", "Requests denied, by reason", ["service", "reason"], () =>
      [...services].flatMap(([service, { reasons }]) =>
        GATE_REASONS.map((reason): Sample => [{ service, reason }, reasons[reason]]),
      ),
    );
  }

  #store(): void {
    const { figures, tallies, gate } = this.#sources;
    const perService = (read: (service: string) => Answer<Sample[]>) => async (): Promise<Sample[]> =>
      (await Promise.all([...tallies.services.keys()].map(read))).flat();
    const states = (pick: (service: string, state: StoreState) => Sample[]) =>
      perService(async (service) => pick(service, await figures.stateOf(service)));
    this.#gauge("cache_entries", "Buckets held", ["service"], () =>
      Promise.all(
        gate.snapshot.services.map(
          async ({ name }): Promise<Sample> => [{ service: name }, await figures.sizeOf(name)],
        ),
      ),
    );
    this.#counter(
      "evictions_total",
      "Buckets forgotten for want of room; lossy: they were not full",
      ["service", "kind"],
      states((service, { evictions }) => [
        [{ service, kind: "full" }, evictions.full],
        [{ service, kind: "lossy" }, evictions.lossy],
      ]),
    );
    this.#counter(
      "admissions_total",
      "Admissions that ended, by how",
      ["service", "state"],
      states((service, { ledger }) => GATE_ENDS.map((state): Sample => [{ service, state }, ledger[state]])),
    );
    this.#gauge(
      "admissions_outstanding",
      "Admissions that have not ended",
      ["service"],
      states((service, { ledger }) => [[{ service }, ledger.outstanding]]),
    );
  }

  #updates(): void {
    const { gate } = this.#sources;
    this.#gauge("snapshot_version", "Version of the live configuration", [], () => [[{}, gate.version]]);
    this.#counter("updates_total", "Updates of the configuration, by result", ["result"], () => [
      [{ result: "published" }, gate.updates.published],
      [{ result: "refused" }, gate.updates.refused],
    ]);
  }
}
