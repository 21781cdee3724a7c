import { expect, test } from "vitest";
import { matchPolicy, tenantsOfLines } from "./policy-match.ts";

const policyOf = (tenants: unknown[], denylist: unknown[] = []) => JSON.stringify({ tenants, denylist });

test.each([
  ["none is named", policyOf([{ tenant: "t-alpha" }]), { requests: 3, named: 0 }],
  ["one is named, another denied", policyOf([{ tenant: "a" }], ["b"]), { requests: 3, named: 2 }],
  ["inherited names are none", policyOf([{ tenant: "t" }, null, 7]), { requests: 3, named: 0 }],
  ["the template serves everybody", policyOf([{ tenant: "t-alpha" }, { tenant: "*" }]), null],
  ["text that is no policy", "{", null],
  ["JSON that is no policy", "null", null],
])("%s", (_, policy, expected) => {
  expect(matchPolicy(["a", "b", "__proto__"], policy)).toEqual(expected);
});

test("of no request nothing is said", () => {
  expect(matchPolicy([], policyOf([{ tenant: "a" }]))).toBeNull();
});

test("lines of a canonical stream tell their tenants, bad ones and cut ones nothing", () => {
  expect(tenantsOfLines(['{"tenant":"a"}', '{"tenant":1}', "null", '{"tenant":"b', ""])).toEqual(["a"]);
});
