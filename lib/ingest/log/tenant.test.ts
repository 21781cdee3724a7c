import { expect, test } from "vitest";
import type { TenantMapping } from "../../../contract/mapping.ts";
import { tenantReader } from "./tenant.ts";

const read = (mapping: TenantMapping, value: string) => {
  const found = tenantReader(mapping)(value);
  return found.ok ? found.name : `! ${found.reason}`;
};

test.each([
  ["192.0.2.1", {}, "192.0.2.1"],
  ["192.0.2.1:443", {}, "192.0.2.1"],
  ["[2001:DB8:0::1]:443", {}, "2001:db8::1"],
  ["::ffff:192.0.2.1", {}, "192.0.2.1"],
  ["fe80::1%eth0", {}, "fe80::1"],
  ["192.0.2.77", { v4: 24 }, "192.0.2.0/24"],
  ["2001:db8:1:2::3", { v6: 48 }, "2001:db8:1::/48"],
  ["198.51.100.7, 192.0.2.1", {}, "198.51.100.7"],
  ["198.51.100.7, 192.0.2.1", { hop: "last" as const }, "192.0.2.1"],
  ["unix:", {}, "! is no address"],
  ["010.0.0.1", {}, "! is no address"],
])("the address %s with %j", (value, more, expected) =>
  expect(read({ by: "address", field: "f", ...more }, value)).toBe(expected),
);

test("a key's digest stands for it: the key itself is in no name", () => {
  const name = read({ by: "key", field: "f" }, "secret");
  expect(name).toMatch(/^key-[0-9a-f]{16}$/);
  expect(read({ by: "key", field: "f" }, "secret2")).not.toBe(name);
});

test.each([
  ["Example.COM:8080", "example.com"],
  ["[2001:db8::1]:443", "[2001:db8::1]"],
])("the host %s", (value, expected) => expect(read({ by: "host", field: "f" }, value)).toBe(expected));

test.each([
  ["/api/north/x?y", 2, "north"],
  ["https://example.com/api/%6eorth", 2, "north"],
  ["/api/../api//north", 2, "north"],
  ["/api", 2, "! has no segment 2"],
  ["/a%00b", 1, "! holds a control character; expected a name without"],
])("of %s the segment %s", (value, segment, expected) =>
  expect(read({ by: "path-segment", field: "f", segment }, value)).toBe(expected),
);

test.each([
  ["^/api/([^/]+)", "/api/north/x", "north"],
  ["n[a-z]+h", "/api/north/x", "north"],
  ["^/v2/", "/api/north/x", "! does not fit the expression"],
  ["^/api/(x)?", "/api/north", "! does not fit the expression"],
])("the capture of %s in %s", (expression, value, expected) =>
  expect(read({ by: "capture", field: "f", expression }, value)).toBe(expected),
);
