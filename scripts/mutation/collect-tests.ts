import { setTimeout } from "node:timers/promises";
import { format } from "node:util";
import { expect as vitestExpect } from "vitest";

// What tests import as "vitest" while mutants are tried: its `expect`, and a `test` that only writes down what there is.

type Body = (...args: never[]) => unknown;
type Matchers = Record<PropertyKey, (...args: unknown[]) => unknown>;

/** As often as vitest asks again, and as long, where a test does not say. */
const POLL_MS = 50;
const POLL_TIMEOUT_MS = 1000;

/** Asks again until the answer is what is expected; vitest's own needs a runner that knows of the test. */
function poll(ask: () => unknown, { timeout = POLL_TIMEOUT_MS } = {}): Matchers {
  const until =
    (matcher: PropertyKey) =>
    async (...args: unknown[]) => {
      for (const last_ms = performance.now() + timeout; ; await setTimeout(POLL_MS)) {
        try {
          return (vitestExpect(await ask()) as unknown as Matchers)[matcher]!(...args);
        } catch (error) {
          if (performance.now() > last_ms) throw error;
        }
      }
    };
  return new Proxy({}, { get: (_, matcher) => until(matcher) });
}

export { vi } from "vitest";

export const expect = Object.assign((actual: unknown) => vitestExpect(actual), vitestExpect, { poll });

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
