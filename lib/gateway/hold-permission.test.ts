import { expect, test } from "vitest";
import { type Holders, mayHold } from "./hold-permission.ts";
import { TrialGate, trialConfig } from "./trial-gate.ts";

const from = (peer: string, trustedPeer: boolean, holders: Holders) =>
  mayHold({ host: "", path: "/", peer, trustedPeer, forwardedFor: undefined }, holders);

test("this machine and trusted proxies may hold; a stranger may not, whatever its address looks like", () => {
  for (const peer of ["127.0.0.1", "127.9.9.9", "::1", "::ffff:127.0.0.1"])
    expect([peer, from(peer, false, "trusted")]).toEqual([peer, true]);
  for (const peer of ["10.0.0.1", "1.127.0.0", "::11", "2001:db8::1", "::ffff:10.127.0.1", "128.0.0.1", ""])
    expect([peer, from(peer, false, "trusted")]).toEqual([peer, false]);
  expect(from("10.0.0.1", true, "trusted")).toBe(true);
  expect(from("10.0.0.1", false, "everybody")).toBe(true);
  expect(from("127.0.0.1", true, "nobody")).toBe(false);
});

test("a hold that is not allowed is refused before anything is decided", async () => {
  await TrialGate.use(trialConfig(), { holds: "nobody" }, async (gate) => {
    expect((await gate.check("192.0.2.1", "/", "?hold")).status).toBe(403);
    expect((await gate.check("192.0.2.1", "/", "?hold&deny=403")).headers["x-ratelimit-status"]).toBe("403");
    expect(gate.told.decisions).toEqual([]);
    expect((await gate.check("192.0.2.1")).headers.ratelimit).toMatch(/r=1/);
  });
});
