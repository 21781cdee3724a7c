import fc from "fast-check";
import { expect, test } from "vitest";
import { normalHost as referenceHost, normalPath as referencePath } from "../reference/gate/route.ts";
import { normalHost, normalPath } from "./path.ts";

test.each([
  ["/", "/"],
  ["", "/"],
  ["/a/b", "/a/b"],
  ["/a/b/", "/a/b/"],
  ["//a///b//", "/a/b/"],
  ["/a/./b/../c", "/a/c"],
  ["/a/..", "/"],
  ["/a/b/..", "/a/"],
  ["/a/b/.", "/a/b/"],
  ["/../../a", "/a"],
  ["/x/..%2Fa", "/a"],
  ["/%2e%2E/a", "/a"],
  ["/%2561", "/%61"],
  ["/%zz/%4/%", "/%zz/%4/%"],
  ["/a?b/../c", "/a"],
  ["/a#b?c", "/a"],
  ["/a%3Fb", "/a?b"],
  ["/%C3%A9", "/é"],
  ["/%F0%9F%98%80", "/😀"],
  ["/%E0%A0%80/%DF%BF/%EF%BF%BD", "/\u0800/\u07FF/\uFFFD"],
  ["/%EF%BB%BFa", "/\uFEFFa"],
  ["/%ff/%C3/%C3%28", "/%ff/%C3/%C3("],
  ["/%ED%A0%80", "/%ED%A0%80"],
  ["/..a/.b./...", "/..a/.b./..."],
])("%s is matched as %s (G2)", (path, normal) => {
  expect(normalPath(path)).toBe(normal);
  expect(referencePath(path)).toBe(normal);
});

const piece = fc.constantFrom(
  "/",
  "/",
  ".",
  "..",
  "a",
  "%2F",
  "%2e",
  "%61",
  "%",
  "%C3",
  "%A9",
  "%e2%82%AC",
  "%F4%90",
  "%25",
  "?",
  "#",
  "é",
  "\n",
  "%00",
);
test("gate and reference bring every path into one form, and the form is stable without escapes (G2)", () => {
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      const path = pieces.join("");
      const normal = normalPath(path);
      expect(normal).toBe(referencePath(path));
      expect(normal).toMatch(/^\//);
      expect(normal.split("/").some((segment) => segment === "." || segment === "..")).toBe(false);
      expect(normal).not.toContain("//");
      if (!/[%?#]/.test(normal)) expect(normalPath(normal)).toBe(normal);
    }),
    { numRuns: 20_000 },
  );
});

test.each([
  ["A.Example:8080", "a.example"],
  ["a.example", "a.example"],
  ["[2001:DB8::1]:443", "[2001:db8::1]"],
  ["[::1]", "[::1]"],
  ["", ""],
  ["a:b", "a:b"],
])("the host %s is %s (G1)", (host, normal) => {
  expect(normalHost(host)).toBe(normal);
  expect(referenceHost(host)).toBe(normal);
});

test("hosts come out alike on both sides", () => {
  const part = fc.constantFrom("a", "B", ".", ":", "8", "[", "]", "::");
  fc.assert(
    fc.property(fc.array(part, { maxLength: 7 }), (parts) => {
      expect(normalHost(parts.join(""))).toBe(referenceHost(parts.join("")));
    }),
    { numRuns: 5000 },
  );
});
