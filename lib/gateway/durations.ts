import type { Metric } from "prom-client";

interface Value {
  readonly labels: Record<string, string>;
  readonly value: number;
  readonly metricName: string;
}

/**
 * A histogram without labels whose observations are plain additions: prom-client's own looks its labels up each time,
 * which costs as much as the decision that is measured.
 */
export class Durations {
  readonly name: string;
  readonly #help: string;
  readonly #bounds: readonly number[];
  /** One for each bound, and one for what is above all. */
  readonly #counts: Float64Array;
  #sum = 0;

  /** `bounds` in seconds, ascending. */
  constructor(name: string, help: string, bounds: readonly number[]) {
    this.name = name;
    this.#help = help;
    this.#bounds = bounds;
    this.#counts = new Float64Array(bounds.length + 1);
  }

  observe(seconds: number): void {
    let place = 0;
    while (place < this.#bounds.length && seconds > this.#bounds[place]!) place += 1;
    this.#counts[place]! += 1;
    this.#sum += seconds;
  }

  /** As a registry asks for it. */
  async get() {
    const values: Value[] = [];
    const add = (suffix: string, value: number, labels: Record<string, string> = {}) =>
      values.push({ labels, value, metricName: `${this.name}_${suffix}` });
    let count = 0;
    this.#bounds.forEach((bound, place) => {
      count += this.#counts[place]!;
      add("bucket", count, { le: String(bound) });
    });
    count += this.#counts.at(-1)!;
    add("bucket", count, { le: "+Inf" });
    add("sum", this.#sum);
    add("count", count);
    return { name: this.name, help: this.#help, type: "histogram", aggregator: "sum", values };
  }

  /** What `registerMetric` takes: a registry needs no more of a metric than its name and `get`. */
  get metric(): Metric {
    return this as unknown as Metric;
  }
}
