import { expect, test, vi } from "vitest";
import type { Fault } from "../../faults/fault.ts";
import { negativeRun } from "./negative-run.ts";

/** A fault that changes nothing: the gate must not take it for a caught one. */
const harmless = vi.hoisted(() => ({
  id: "harmless",
  clause: "§2",
  title: "Nothing",
  summary: "Nothing goes wrong.",
  kind: "rule" as const,
  replaces: "refill" as never,
  rules: () => ({}),
}));

vi.mock("../../faults/catalog.ts", async (original) => {
  const { FAULTS } = await original<typeof import("../../faults/catalog.ts")>();
  return { FAULTS: [...FAULTS, harmless] };
});

test("a rule's fault that changes nothing on any trial is a MISS, never a pass", async () => {
  const [result] = await negativeRun([harmless]);
  expect(result).toMatchObject({ id: "harmless", caught: false, detail: expect.stringMatching(/^MISS/) });
});

test("a signal's fault that does nothing is a MISS too: being called so is not enough", async () => {
  for (const id of ["hardcoded-ok", "exit-zero", "empty-checks", "self-reference", "fail-open"]) {
    const { FAULTS } = await import("../../faults/catalog.ts");
    const known = FAULTS as Fault[];
    const at = known.findIndex((fault) => fault.id === id);
    const real = known[at]!;
    known[at] = { ...harmless, id };
    try {
      const [result] = await negativeRun([known[at]]);
      expect(result).toMatchObject({ id, caught: false });
    } finally {
      known[at] = real;
    }
  }
});

test("no fault, no result: whoever counts them finds none to pass", async () => {
  expect(await negativeRun([])).toEqual([]);
});
