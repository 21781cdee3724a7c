import { createHash, createHmac } from "node:crypto";
import { expect, test } from "vitest";
import { LogKey } from "./log-key.ts";

const hmac = (secret: string, text: string) =>
  createHmac("sha256", createHash("sha256").update(secret).digest()).update(text).digest("hex");

test("hashes are HMAC-SHA-256 under the digest of the configured key", () => {
  const key = new LogKey("a secret");
  expect(key.client({ kind: "ip", value: "192.0.2.0/24" })).toBe(
    `ip:${hmac("a secret", "ip\x00192.0.2.0/24").slice(0, 32)}`,
  );
  expect(key.hold("ä")).toBe(hmac("a secret", "hold\0ä").slice(0, 32));
  expect(key.name).toBe(hmac("a secret", "key\0").slice(0, 8));
});

test("a credential spelled like a network is not its client (G3); keys made anew hash alike", () => {
  const key = new LogKey();
  const value = "192.0.2.0/24";
  const [token, ip] = [key.client({ kind: "token", value }), key.client({ kind: "ip", value })];
  expect(token.slice("token:".length)).not.toBe(ip.slice("ip:".length));
  expect(key.client({ kind: "token", value })).toBe(token);
  expect(key.client({ kind: "ip", value })).toBe(ip);
});

test("two random keys never hash alike: logs cannot be joined by client", () => {
  const client = { kind: "ip", value: "192.0.2.0/24" } as const;
  expect(new LogKey().client(client)).not.toBe(new LogKey().client(client));
  expect(new LogKey().name).toBe("random");
});
