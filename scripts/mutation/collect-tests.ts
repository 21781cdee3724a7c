import { format } from "node:util";

// What tests import as "vitest" while mutants are tried: the same `expect`, and a `test` that only writes down what there is.
export { expect } from "vitest";

type Body = (...args: never[]) => unknown;

export interface CollectedTest {
  name: string;
  run: () => unknown;
}

/** The tests of the files that are being loaded. */
const collected: CollectedTest[] = [];
const titles: string[] = [];

/** The tests collected since the last call. */
export function takeCollected(): CollectedTest[] {
  return collected.splice(0);
}

/** A body stands last; options, such as a bound on time, may stand before it. */
const bodyOf = (parts: unknown[]): Body => parts.at(-1) as Body;

/** Calls for each row of a table, as `each` does: a list gives all arguments, anything else is the only one. */
function forEachRow(table: readonly unknown[], act: (args: never[]) => void): void {
  for (const row of table) act((Array.isArray(row) ? row : [row]) as never[]);
}

export const test = Object.assign(
  (name: string, ...parts: unknown[]): void => {
    const body = bodyOf(parts);
    collected.push({ name: [...titles, name].join(" > "), run: () => body() });
  },
  {
    each:
      (table: readonly unknown[]) =>
      (name: string, ...parts: unknown[]): void =>
        forEachRow(table, (args) => test(format(name, ...args), () => bodyOf(parts)(...args))),
  },
);

export const describe = Object.assign(
  (name: string, ...parts: unknown[]): void => {
    titles.push(name);
    bodyOf(parts)();
    titles.pop();
  },
  {
    each:
      (table: readonly unknown[]) =>
      (name: string, ...parts: unknown[]): void =>
        forEachRow(table, (args) => describe(format(name, ...args), () => bodyOf(parts)(...args))),
  },
);
