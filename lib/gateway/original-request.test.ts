import type { IncomingMessage } from "node:http";
import fc from "fast-check";
import { expect, test } from "vitest";
import { compileSnapshot } from "../gate/snapshot.ts";
import { ContradictingHeaders, checkedRequest, type HeaderFamily, ownRequest } from "./original-request.ts";

const compiled = compileSnapshot({
  services: [{ name: "s", auth: "off", price: 0, rules: [] }],
  trusted_proxies: ["127.0.0.0/8"],
});
if (!compiled.ok) throw new Error("refused");
const snapshot = compiled.value;

type Headers = Record<string, string>;

/** A request as Node hands it over: headers that came twice are joined, and told apart in `headersDistinct`. */
function incoming(proxy: Headers, client: Headers, url = "/check"): IncomingMessage {
  const names = [...new Set([...Object.keys(client), ...Object.keys(proxy)])];
  // A proxy sets its headers in the place of the client's; others it passes on.
  const distinct = Object.fromEntries(names.map((name) => [name, [proxy[name] ?? client[name]!]]));
  const headers = Object.fromEntries(names.map((name) => [name, distinct[name]!.join(", ")]));
  return {
    url,
    headers: { host: "gate", ...headers },
    headersDistinct: distinct,
    socket: { remoteAddress: "127.0.0.1" },
  } as never;
}

/** Proxies that set every header of their family: where one is left out, nobody can tell a client's from the proxy's. */
const PROXIES: Record<string, { family: HeaderFamily; headers: Headers; host: string }> = {
  "nginx with X-Original-URI and -Host": {
    family: "original",
    headers: { "x-original-uri": "/true", "x-original-host": "true.example", "x-forwarded-for": "192.0.2.1" },
    host: "true.example",
  },
  "nginx with X-Original-For": {
    family: "original",
    headers: { "x-original-uri": "/true", "x-original-host": "true.example", "x-original-for": "192.0.2.1" },
    host: "true.example",
  },
  // Traefik: https://doc.traefik.io/traefik/v3.3/reference/routing-configuration/http/middlewares/forwardauth/
  // ("Forward-Request Headers"). Caddy: https://caddyserver.com/docs/caddyfile/directives/forward_auth, which sets
  // Method and Uri beside the For, Proto and Host of its reverse_proxy; `caddy.test.ts` sees it do so.
  "Traefik or Caddy": {
    family: "forwarded",
    headers: {
      "x-forwarded-method": "GET",
      "x-forwarded-proto": "https",
      "x-forwarded-uri": "/true",
      "x-forwarded-host": "true.example",
      "x-forwarded-for": "192.0.2.1",
    },
    host: "true.example",
  },
};

const LIES = fc.record(
  Object.fromEntries(
    ["uri", "url", "host", "for", "method"].flatMap((name) => [
      [
        `x-original-${name}`,
        fc.constantFrom("/lie", "http://lie.example/lie", "lie.example", "203.0.113.9", "/true", ""),
      ],
      [
        `x-forwarded-${name}`,
        fc.constantFrom("/lie", "http://lie.example/lie", "lie.example", "203.0.113.9", "/true", ""),
      ],
    ]),
  ),
  { requiredKeys: [] },
);

test.each(Object.entries(PROXIES))(
  "%s: whatever a client adds, it is decided as what it is, or not at all",
  (_name, proxy) => {
    const judged = { believed: 0, refused: 0 };
    fc.assert(
      fc.property(LIES, fc.constantFrom<HeaderFamily>("auto", proxy.family), (lies, family) => {
        try {
          const { host, path, forwardedFor } = checkedRequest(
            incoming(proxy.headers, lies as Headers),
            snapshot,
            family,
          );
          expect([host, path, forwardedFor]).toEqual([proxy.host, "/true", "192.0.2.1"]);
          judged.believed += 1;
        } catch (error) {
          expect(error).toBeInstanceOf(ContradictingHeaders);
          judged.refused += 1;
        }
      }),
      { numRuns: 2000 },
    );
    expect(judged.believed).toBeGreaterThan(20);
    expect(judged.refused).toBeGreaterThan(20);
  },
);

test("with no header of either family the question is about the request itself", () => {
  expect(checkedRequest(incoming({}, {}, "/check?x"), snapshot, "auto")).toMatchObject({
    host: "gate",
    path: "/check?x",
  });
});

test.each([
  ["/a/b?c", "gate", "/a/b?c"],
  ["http://shop.example:81/a?b", "shop.example:81", "/a?b"],
  ["HTTP://user:x@shop.example?b", "shop.example", "/?b"],
  ["//a/b", "gate", "//a/b"],
  ["*", "gate", "*"],
])("the request target %s is host %s, path %s", (url, host, path) => {
  expect(ownRequest(incoming({}, {}, url), snapshot)).toMatchObject({ host, path, trustedPeer: true });
});
