import type { Evidence } from "./evidence.ts";

/** What a criterion found: the first thing that breaks it, or null where it holds; undefined where it cannot be judged. */
export type Finding = string | null | undefined;

export interface AcceptanceCriterion {
  id: string;
  group: string;
  clause: string;
  title: string;
  judge(evidence: Evidence): Finding;
}

/** The first item for which a text is found, as the finding of all. */
export function firstFault<T>(items: Iterable<T>, fault: (item: T) => string | null): string | null {
  for (const item of items) {
    const found = fault(item);
    if (found !== null) return found;
  }
  return null;
}

/** A finding for a pair of values that must be equal; -0 is 0. */
export function unequal(what: string, reported: unknown, expected: unknown): string | null {
  return reported === expected ? null : `${what} is ${String(reported)}; expected ${String(expected)}`;
}
