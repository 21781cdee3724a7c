import type { LogLine, LogState, LogStateHead } from "../../../contract/decision-log.ts";

/** Lines that tell of what a gate states, after the first of them. */
export type StatePart = Extract<LogLine, { line: "buckets" | "admissions" | "freebies" }>;

export const isStatePart = (line: LogLine): line is StatePart =>
  line.line === "buckets" || line.line === "admissions" || line.line === "freebies";

/** What a gate states where a file begins (G11), put together from its lines. */
export class StatedLines {
  readonly #head: LogStateHead;
  readonly #state: LogState;
  readonly #told = { buckets: 0, admissions: 0, freebies: 0 };

  constructor(head: LogStateHead, version: number, config: unknown) {
    this.#head = head;
    this.#state = { ...head, version, config, buckets: [], admissions: [], freebies: [] };
  }

  /** Takes the next line. Text: why it cannot stand here. */
  add(part: StatePart): string | null {
    this.#told[part.line] += part.rows.length;
    if (this.#told[part.line] > this.#head[part.line])
      return `more ${part.line} are told than the ${this.#head[part.line]} that were stated`;
    if (part.line === "buckets") this.#state.buckets.push(part);
    else if (part.line === "freebies") this.#state.freebies.push(part);
    else this.#state.admissions.push(...part.rows);
    return null;
  }

  /** All of it; null: more lines must come. */
  get whole(): LogState | null {
    const { buckets, admissions, freebies } = this.#told;
    const head = this.#head;
    const isWhole = buckets === head.buckets && admissions === head.admissions && freebies === head.freebies;
    return isWhole ? this.#state : null;
  }
}
