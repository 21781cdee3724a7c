import { format } from "node:util";

// What tests import as "vitest" while mutants are tried: the same `expect`, and a `test` that only writes down what there is.
export { expect } from "vitest";

type Body = (...args: never[]) => unknown;

export interface CollectedTest {
  name: string;
  run: () => unknown;
}

type Hook = () => unknown;

/** What one file holds. */
export interface CollectedFile {
  readonly tests: CollectedTest[];
  readonly beforeAll: Hook[];
  readonly afterEach: Hook[];
  readonly afterAll: Hook[];
}

const emptyFile = (): CollectedFile => ({ tests: [], beforeAll: [], afterEach: [], afterAll: [] });

/** Of the file that is being loaded. */
let file = emptyFile();
const titles: string[] = [];

/** What was collected since the last call. */
export function takeCollected(): CollectedFile {
  const taken = file;
  file = emptyFile();
  return taken;
}

export const beforeAll = (hook: Hook): void => void file.beforeAll.push(hook);
export const afterEach = (hook: Hook): void => void file.afterEach.push(hook);
export const afterAll = (hook: Hook): void => void file.afterAll.push(hook);

/** A body stands last; options, such as a bound on time, may stand before it. */
const bodyOf = (parts: unknown[]): Body => parts.at(-1) as Body;

/** Calls for each row of a table, as `each` does: a list gives all arguments, anything else is the only one. */
function forEachRow(table: readonly unknown[], act: (args: never[]) => void): void {
  for (const row of table) act((Array.isArray(row) ? row : [row]) as never[]);
}

export const test = Object.assign(
  (name: string, ...parts: unknown[]): void => {
    const body = bodyOf(parts);
    file.tests.push({ name: [...titles, name].join(" > "), run: () => body() });
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
