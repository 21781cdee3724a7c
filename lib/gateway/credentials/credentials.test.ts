import { createHash } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { exportJWK, generateKeyPair, SignJWT, UnsecuredJWT } from "jose";
import { expect, test } from "vitest";
import { ApiKeys, apiKeyDigest } from "./api-keys.ts";
import { type Authenticator, Authenticators } from "./authenticator.ts";
import { BearerToken } from "./bearer-token.ts";
import { TrustedHeader } from "./trusted-header.ts";

const secret = new TextEncoder().encode("a secret of at least thirty-two bytes");
const soon = () => Math.floor(Date.now() / 1000) + 60;
const presented = (headers: Record<string, string>, trustedPeer = false) => ({ headers, trustedPeer });
const bearer = (token: string) => presented({ authorization: `Bearer ${token}` });

const signed = (
  claims: object,
  header: { alg: string; kid?: string } = { alg: "HS256" },
  key: unknown = secret,
) => new SignJWT(claims as never).setProtectedHeader(header).sign(key as Uint8Array);

const hs = new BearerToken({
  key: { secret },
  algorithms: ["HS256"],
  claim: "sub",
  issuer: "me",
  audience: "gate",
});
const good = { sub: "alice", iss: "me", aud: "gate" };

test("a token that holds names its client", async () => {
  const token = await signed({ ...good, exp: soon() });
  expect(await hs.authenticate(bearer(token))).toEqual({ valid: true, id: "alice" });
  expect(await hs.authenticate(presented({ authorization: `bearer  ${token}` }))).toMatchObject({
    valid: true,
  });
});

test.each([
  ["over", { ...good, exp: 1 }],
  ["without an end", { ...good }],
  ["not yet begun", { ...good, exp: soon(), nbf: soon() }],
  ["of another issuer", { ...good, iss: "you", exp: soon() }],
  ["for another audience", { ...good, aud: "door", exp: soon() }],
  ["without a client", { iss: "me", aud: "gate", exp: soon() }],
  ["of an empty client", { ...good, sub: "", exp: soon() }],
  ["of a client that is no text", { ...good, sub: { a: 1 }, exp: soon() }],
  ["of a client that is endless", { ...good, sub: "x".repeat(257), exp: soon() }],
])("a token is no client: %s", async (_why, claims) => {
  expect(await hs.authenticate(bearer(await signed(claims)))).toMatchObject({ valid: false });
});

test("a token does not choose how it is judged", async () => {
  const unsigned = new UnsecuredJWT({ ...good, exp: soon() }).encode();
  expect(await hs.authenticate(bearer(unsigned))).toMatchObject({ valid: false });
  const stronger = await signed({ ...good, exp: soon() }, { alg: "HS512" }, new Uint8Array(64));
  expect(await hs.authenticate(bearer(stronger))).toMatchObject({ valid: false });
  const token = await signed({ ...good, exp: soon() });
  expect(await hs.authenticate(bearer(`${token.slice(0, -2)}xx`))).toMatchObject({ valid: false });
  for (const odd of ["", "a b", "ä", "a.b.c", "a".repeat(9000)])
    expect(await hs.authenticate(bearer(odd))).toMatchObject({ valid: false });
  expect(await hs.authenticate(presented({ authorization: "Basic abc" }))).toBeNull();
  expect(await hs.authenticate(presented({}))).toBeNull();
});

test("a public key is no secret: a token signed with it is refused", async () => {
  const { publicKey, privateKey } = await generateKeyPair("RS256", { extractable: true });
  const jwk = { ...(await exportJWK(publicKey)), kid: "k", alg: "RS256" };
  const rs = new BearerToken({ key: { keys: { keys: [jwk] } }, algorithms: ["RS256"], claim: "sub" });
  const token = await signed({ sub: "bob", exp: soon() }, { alg: "RS256", kid: "k" }, privateKey);
  expect(await rs.authenticate(bearer(token))).toEqual({ valid: true, id: "bob" });
  const forged = await signed(
    { sub: "bob", exp: soon() },
    { alg: "HS256", kid: "k" },
    new TextEncoder().encode(jwk.n),
  );
  expect(await rs.authenticate(bearer(forged))).toMatchObject({ valid: false });
});

test("a key set that cannot be reached makes no client, and no error", async () => {
  const server = createServer((_request, response) => response.writeHead(500).end()).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/keys`;
  const remote = new BearerToken({ key: { url }, algorithms: ["RS256"], claim: "sub" });
  const { privateKey } = await generateKeyPair("RS256");
  const token = await signed({ sub: "bob", exp: soon() }, { alg: "RS256" }, privateKey);
  expect(await remote.authenticate(bearer(token))).toMatchObject({ valid: false });
  server.close();
  expect(await remote.authenticate(bearer(token))).toMatchObject({ valid: false });
});

test("API keys are known by their digest alone", () => {
  expect(apiKeyDigest("key")).toBe(createHash("sha256").update("key").digest("hex"));
  const keys = new ApiKeys("X-Api-Key", new Map([[apiKeyDigest("key"), "alice"]]));
  expect(keys.authenticate(presented({ "x-api-key": "key" }))).toEqual({ valid: true, id: "alice" });
  expect(keys.authenticate(presented({ "x-api-key": "Key" }))).toMatchObject({ valid: false });
  expect(keys.authenticate(presented({ "x-api-key": apiKeyDigest("key") }))).toMatchObject({ valid: false });
  expect(keys.authenticate(presented({}))).toBeNull();
});

test("a header names the user only where a trusted proxy set it (G3)", () => {
  const header = new TrustedHeader("X-User");
  expect(header.authenticate(presented({ "x-user": "alice" }, true))).toEqual({ valid: true, id: "alice" });
  expect(header.authenticate(presented({ "x-user": "alice" }, false))).toBeNull();
  expect(header.authenticate(presented({ "x-user": "" }, true))).toBeNull();
});

test("of several kinds the valid one counts; an invalid one is told where none is", async () => {
  const keys = new ApiKeys("x-api-key", new Map([[apiKeyDigest("key"), "carol"]]));
  const all = new Authenticators([new TrustedHeader("x-user"), keys, hs]);
  const token = await signed({ ...good, exp: soon() });
  const headers = { authorization: `Bearer ${token}`, "x-api-key": "wrong" };
  expect(await all.authenticate(presented(headers))).toEqual({ valid: true, id: "alice" });
  const bad = { authorization: "Bearer wrong", "x-api-key": "key" };
  expect(await all.authenticate(presented(bad))).toEqual({ valid: true, id: "carol" });
  expect(await all.authenticate(presented({ authorization: "Bearer wrong" }))).toMatchObject({
    valid: false,
  });
  expect(await new Authenticators([hs, keys]).authenticate(presented(bad))).toEqual({
    valid: true,
    id: "carol",
  });
  expect(await all.authenticate(presented({}))).toBeNull();
});

test("there is always a challenge, and a service's name cannot leave its realm", () => {
  const keys: Authenticator = new ApiKeys("x-api-key", new Map());
  expect(new Authenticators([]).challenges("api", false)).toEqual(['Bearer realm="api"']);
  expect(new Authenticators([keys, hs]).challenges('a"b\\ä', true)).toEqual([
    'ApiKey realm="a%22b%5C%C3%A4", header="x-api-key"',
    'Bearer realm="a%22b%5C%C3%A4", error="invalid_token"',
  ]);
});
