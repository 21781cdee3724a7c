import { expect, test } from "vitest";
import type { GateDecision } from "../gate/decision.ts";
import { stageConfig } from "../gate/update.ts";
import { asForbidden, replyTo, retryAfterSeconds, speaksGrpc, undecidedReply } from "./reply.ts";

const staged = stageConfig({
  services: [{ name: "api", auth: "on", price: 3, rules: [{ id: "r", requests: 2, per: "1m" }] }],
});
if (!staged.ok) throw new Error("refused");
const service = staged.value.snapshot.services[0]!;

const decision = (fields: Partial<GateDecision>): GateDecision => ({
  verdict: "denied",
  version: 1,
  service,
  path: "/",
  rules: service.rules,
  client: null,
  reason: null,
  lacking: [],
  retry_after_ms: null,
  levels: [],
  unchecked: false,
  ...fields,
});

const headersOf = ({ headers }: { headers: string[] }) =>
  new Map(headers.flatMap((name, at) => (at % 2 === 0 ? [[name, headers[at + 1]!] as const] : [])));
const plain = { grpc: false, challenges: [] };
const grpc = { grpc: true, challenges: [] };

test.each([
  [0, 1],
  [1, 1],
  [999, 1],
  [1000, 1],
  [1001, 2],
  [59_001, 60],
])("a wait of %d ms is %d s in Retry-After: rounded up, at least 1 (G9)", (wait_ms, seconds) => {
  expect(retryAfterSeconds(wait_ms)).toBe(seconds);
});

test("no finite wait: no Retry-After (G9)", () => {
  const rate = replyTo(decision({ reason: "rate", lacking: service.rules, retry_after_ms: 1001 }), plain);
  expect([rate.status, headersOf(rate).get("Retry-After")]).toEqual([429, "2"]);
  const endless = replyTo(decision({ reason: "rate", lacking: service.rules }), plain);
  expect([endless.status, headersOf(endless).has("Retry-After")]).toEqual([429, false]);
});

test("a store that is away: 503, and nobody is told that something is left (G12)", () => {
  const away = replyTo(decision({ reason: "unavailable" }), plain);
  expect([away.status, headersOf(away).get("RateLimit")]).toEqual([503, '"r";r=0']);
  expect(JSON.parse(away.body).type).toMatch(/#temporary-reduced-capacity$/);
  expect(headersOf(replyTo(decision({ reason: "unavailable" }), grpc)).get("grpc-status")).toBe("14");
});

test("a peer without an address is denied, and an error is 500, or 13 to gRPC (G3, G7, G9)", () => {
  expect(replyTo(decision({ reason: "client" }), plain).status).toBe(429);
  const error = decision({ verdict: "error" });
  expect(replyTo(error, plain).status).toBe(500);
  expect(headersOf(replyTo(error, grpc)).get("grpc-status")).toBe("13");
});

test("the violated policies are named as in RateLimit-Policy", () => {
  const odd = stageConfig({
    services: [{ name: "s", auth: "off", price: 0, rules: [{ id: "täglich", requests: 1, per: "1d" }] }],
  });
  if (!odd.ok) throw new Error("refused");
  const { rules } = odd.value.snapshot.services[0]!;
  const reply = replyTo(decision({ reason: "rate", rules, lacking: rules }), plain);
  expect(JSON.parse(reply.body)["violated-policies"]).toEqual(["t%C3%A4glich"]);
  expect(headersOf(reply).get("RateLimit-Policy")).toBe('"t%C3%A4glich";q=1;w=86400');
});

test("what was allowed stays 200 for nginx; all else is 403 with the true status", () => {
  const allowed = replyTo(decision({ verdict: "allowed" }), plain);
  expect(asForbidden(allowed)).toBe(allowed);
  const denied = asForbidden(replyTo(decision({ reason: "capacity" }), plain));
  expect([denied.status, headersOf(denied).get("X-RateLimit-Status")]).toEqual([403, "429"]);
});

test.each([
  ["application/grpc", true],
  ["application/grpc+proto", true],
  ["Application/GRPC; charset=x", true],
  ["application/grpc-web", false],
  ["text/plain", false],
  [undefined, false],
])("%s speaks gRPC: %s", (type, speaks) => {
  expect(speaksGrpc(type)).toBe(speaks);
});

test("what could not be decided is 500, and 13 to gRPC (G9)", () => {
  expect(undecidedReply(false)).toMatchObject({ status: 500 });
  const grpc = undecidedReply(true);
  expect([grpc.status, grpc.headers[grpc.headers.indexOf("grpc-status") + 1]]).toEqual([200, "13"]);
});
