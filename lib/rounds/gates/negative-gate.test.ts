import { expect, test } from "vitest";
import { GATE_FAULTS } from "../../faults/gate/catalog.ts";
import { negativeGateRun } from "./negative-gate.ts";

test("the audit catches every known fault of the gate, and raises no alarm over an honest one (G11)", async () => {
  const results = await negativeGateRun();
  expect(results.filter(({ caught }) => !caught)).toEqual([]);
  expect(results.map(({ id }) => id)).toEqual(GATE_FAULTS.map(({ id }) => id));
});

test("a fault that changes nothing is a miss, not a pass", async () => {
  const harmless = { id: "harmless", clause: "G4", title: "Nothing", summary: "Nothing goes wrong." };
  const [result] = await negativeGateRun([harmless]);
  expect(result).toMatchObject({ id: "harmless", caught: false });
});

test("ids are unique", () => {
  expect(new Set(GATE_FAULTS.map(({ id }) => id)).size).toBe(GATE_FAULTS.length);
});
