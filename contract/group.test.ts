import { expect, test } from "vitest";
import { decidedWait } from "./group.ts";

test("a group waits as its decision says (§3.4), not as the formula alone would have it", () => {
  expect(decidedWait({ verdict: "accepted", reason: null, wait_ms: 50 })).toBe(0);
  expect(decidedWait({ verdict: "queued", reason: null, wait_ms: 50 })).toBe(50);
  expect(decidedWait({ verdict: "rejected", reason: "insufficient_tokens", wait_ms: 50 })).toBe(50);
  expect(decidedWait({ verdict: "rejected", reason: "exceeds_capacity", wait_ms: 50 })).toBe(null);
  expect(decidedWait({ verdict: "rejected", reason: "queue_expired", wait_ms: null })).toBe(null);
});
