import fc from "fast-check";
import { expect, test } from "vitest";
import type { PlaceRow } from "../../../contract/round-view.ts";
import { maskPlace, NameMask } from "./name-mask.ts";

const KEY = "a1".repeat(32);
const ids = ["req-1", "__proto__", "🟥", "=1+1"];
const positionOf = (req_id: string) => (ids.includes(req_id) ? ids.indexOf(req_id) : null);
const maskOf = (key: string) => new NameMask(key);
const mask = maskOf(KEY);
const TIERS = new Set(["gold"]);

const place = (changed: Partial<PlaceRow>): PlaceRow => ({
  noise: null,
  position: 0,
  check: "decisions.tenant",
  clause: "§4",
  section: "decisions",
  subject: "req-1",
  path: "decisions[0].tenant",
  result: "mismatch",
  reported: null,
  expected: null,
  ...changed,
});

test("the same name has the same mask, other names and other links have others", () => {
  expect(mask.tenant("acme")).toBe(maskOf(KEY).tenant("acme"));
  const masks = [...ids, "acme"].flatMap((name) => [
    mask.tenant(name),
    mask.request(name, positionOf(name)),
    mask.text(name),
  ]);
  expect(new Set(masks).size).toBe(masks.length);
  const other = maskOf("b2".repeat(32));
  expect(other.tenant("acme")).not.toBe(mask.tenant("acme"));
  expect(other.request("req-1", positionOf("req-1"))).not.toBe(mask.request("req-1", positionOf("req-1")));
});

test("a request's mask leads back to its place, and nothing else does", () => {
  for (const [position, req_id] of ids.entries())
    expect(mask.position(mask.request(req_id, positionOf(req_id)))).toBe(position);
  expect(mask.position(mask.request("not there", positionOf("not there")))).toBeNull();
  expect(maskOf("b2".repeat(32)).position(mask.request("req-1", positionOf("req-1")))).toBeNull();
  fc.assert(fc.property(fc.stringMatching(/^[0-9a-f]{32}$/), (hex) => mask.position(`req-${hex}`) === null));
});

test.each([
  ["a tenant's bucket", { section: "tenants", subject: 'a"c]m.e', path: 'per_tenant["a\\"c]m.e"].used' }],
  [
    "a tenant's tier",
    {
      check: "per_tenant.tier",
      section: "tenants",
      subject: "acme",
      path: 'per_tenant["acme"].tier',
      reported: '"acme"',
      expected: '"gold"',
    },
  ],
  ["a tenant of a decision", { reported: '"acme"', expected: '"acme"' }],
  [
    "an id in the order",
    {
      check: "dispatch_order",
      section: "order",
      subject: "acme",
      path: "dispatch_order[3]",
      reported: '"acme"',
      expected: '"acme"',
    },
  ],
  [
    "a field that nobody knows",
    {
      check: "report.shape",
      section: "report",
      subject: "",
      path: "decisions[0].acme",
      reported: '"a field"',
    },
  ],
  [
    "a part of a bucket that nobody knows",
    { check: "report.shape", section: "report", subject: "", path: 'per_tenant["acme"].acme' },
  ],
  [
    "a list where a text should be",
    { check: "decisions.verdict", reported: '["acme"]', expected: '"accepted"' },
  ],
  ["a name that looks like a digest", { reported: '"acmedeadbeefacme"', expected: '"deadbeefdeadbeefac"' }],
] as [string, Partial<PlaceRow>][])("%s names nobody", (_, changed) => {
  const masked = maskPlace(mask, place(changed), TIERS, positionOf);
  expect(JSON.stringify(masked)).not.toMatch(/acme|a\\"c|deadbeef/);
});

test.each(["checksum", "checksum.content", "input"])(
  "a digest of what holds names confirms no guessed one (%s)",
  (check) => {
    for (const digits of [16, 64]) {
      const digest = "0123456789abcdef".repeat(4).slice(0, digits);
      const masked = maskPlace(
        mask,
        place({ check, reported: JSON.stringify(digest), expected: JSON.stringify(digest) }),
        TIERS,
        positionOf,
      );
      expect([masked.reported, masked.expected].join()).not.toContain(digest);
      expect(masked.reported).toContain("withheld");
    }
  },
);

test("figures and words of the contract stay", () => {
  const kept = (check: string, value: string) =>
    maskPlace(mask, place({ check, reported: value, expected: value }), TIERS, positionOf).reported;
  for (const value of ["550", "null", "true", '"queued"', '"exceeds_capacity"', '"no such request"'])
    expect(kept("decisions.verdict", value)).toBe(value);
  expect(kept("per_tenant.tier", '"gold"')).toBe('"gold"');
  expect(maskPlace(mask, place({ path: "counts.accepted" }), TIERS, positionOf).path).toBe("counts.accepted");
});

test("what was the same name is the same mask on both sides", () => {
  const { reported, expected } = maskPlace(
    mask,
    place({ reported: '"acme"', expected: '"acme"' }),
    TIERS,
    positionOf,
  );
  expect(reported).toBe(expected);
  expect(reported).toBe(JSON.stringify(mask.tenant("acme")));
});
