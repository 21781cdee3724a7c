import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { exportJWK, generateKeyPair, SignJWT } from "jose";
import { expect, test } from "vitest";
import { TrialGate, trialConfig } from "./trial-gate.ts";

test("a request whose credential is waited for is decided by the snapshot it came under, through an update too (G8)", async () => {
  const { publicKey, privateKey } = await generateKeyPair("RS256", { extractable: true });
  const keys = JSON.stringify({ keys: [{ ...(await exportJWK(publicKey)), alg: "RS256" }] });
  const isAsked = Promise.withResolvers<void>();
  const mayAnswer = Promise.withResolvers<void>();
  const server = createServer(async (_request, response) => {
    isAsked.resolve();
    await mayAnswer.promise;
    response.writeHead(200, { "content-type": "application/json" }).end(keys);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const keys_url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/keys`;
  const config = (more: object, hold_ms: number) => ({
    ...trialConfig({ price: 5, rules: [{ id: "r", requests: 2, per: "1d" }], ...more }),
    hold_ms,
  });
  const settings = { credentials: { bearer: { keys_url, algorithms: ["RS256"] } } };
  await TrialGate.use(config({ auth: "on" }, 1111), settings, async (gate) => {
    const token = await new SignJWT({ sub: "alice" })
      .setProtectedHeader({ alg: "RS256" })
      .setExpirationTime("1m")
      .sign(privateKey);
    const authorization = `Bearer ${token}`;
    const asked = gate.check("192.0.2.1", "/x", "?hold", { authorization });
    await isAsked.promise;
    const next = config({ auth: "off", rules: [] }, 2222);
    expect((await gate.admin("POST", "/publish", { config: next, from: 1 })).status).toBe(200);
    mayAnswer.resolve();
    const { status, body, headers } = await asked;
    // What it was asked for is what it is answered by: version 1, where credentials count.
    expect([status, headers["ratelimit-policy"]]).toEqual([200, '"r";q=2;w=86400']);
    // The rule is gone, and with it its buckets: nothing was taken, so nothing is held.
    expect(JSON.parse(body)).toMatchObject({ hold_ms: 1111 });
    expect(gate.told.decisions).toMatchObject([
      {
        version: 1,
        began_seq: 1,
        credential: "valid",
        client: { kind: "token", value: "alice" },
        rules: ["r"],
      },
    ]);
    expect((await gate.check("192.0.2.1", "/x")).headers["ratelimit-policy"]).toBeUndefined();
  });
  server.close();
});
