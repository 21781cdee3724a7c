import { afterEach, describe, expect, test, vi } from "vitest";
import { refusal } from "./request-guard.ts";

const ask = (method: string, headers: Record<string, string>) => refusal(method, new Headers(headers));
const host = "127.0.0.1:3000";

afterEach(() => {
  vi.unstubAllEnvs();
});

describe("the name the server is called by", () => {
  test.each(["127.0.0.1", "127.0.0.1:3000", "localhost:1", "LOCALHOST:3000", "[::1]", "[::1]:3000"])(
    "%s is its own",
    (name) => {
      expect(ask("GET", { host: name })).toBeNull();
    },
  );

  test.each(["", "evil.example", "localhost.evil.example", "127.0.0.1.nip.io:3000", "0.0.0.0:3000", "::1"])(
    "%j is not, also for a read: a rebound name must not see rounds",
    (name) => {
      expect(ask("GET", { host: name })).toContain("does not go by the name");
    },
  );

  test("names are added by THROTTLE_HOSTS, whole and in any case", () => {
    vi.stubEnv("THROTTLE_HOSTS", " Console.Example , other.example,");
    expect(ask("GET", { host: "console.example:8080" })).toBeNull();
    expect(ask("GET", { host: "OTHER.example" })).toBeNull();
    expect(ask("GET", { host: "sub.console.example" })).not.toBeNull();
    expect(ask("GET", { host: "" })).not.toBeNull();
  });
});

describe("writes from another site", () => {
  test.each(["POST", "PATCH", "PUT", "DELETE", "post", "PROPFIND"])("%s is refused by its site", (method) => {
    expect(ask(method, { host, "sec-fetch-site": "cross-site" })).toContain("another site");
    expect(ask(method, { host, "sec-fetch-site": "same-site" })).toContain("another site");
  });

  test.each(["http://evil.example", "http://127.0.0.1:4000", "http://localhost:3000", "null", "nonsense"])(
    "the origin %s is refused",
    (origin) => {
      expect(ask("POST", { host, origin })).toContain("another site");
      expect(ask("POST", { host, origin, "sec-fetch-site": "same-origin" })).toContain("another site");
    },
  );

  test("its own pages, and programs that are no browser, may write", () => {
    expect(ask("POST", { host, origin: `http://${host}`, "sec-fetch-site": "same-origin" })).toBeNull();
    expect(ask("POST", { host: "LocalHost:3000", origin: "http://localhost:3000" })).toBeNull();
    expect(ask("POST", { host, "sec-fetch-site": "none" })).toBeNull();
    expect(ask("POST", { host })).toBeNull();
  });

  test.each(["GET", "HEAD", "OPTIONS"])(
    "%s from another site is let through: it changes nothing",
    (method) => {
      expect(ask(method, { host, origin: "http://evil.example", "sec-fetch-site": "cross-site" })).toBeNull();
    },
  );
});
