import { expect, test } from "vitest";
import type { Contract } from "../../contract/contract.ts";
import type { Policy } from "../../contract/policy.ts";
import { BucketBook } from "./bucket.ts";
import { policyOpened } from "./opening.ts";
import { VerdictTable } from "./verdicts.ts";

test("a policy that no validation would have let through opens no bucket", () => {
  const contract = { tiers: [{ name: "gold", guaranteed: false }] } as unknown as Contract;
  const tenants = [{ tenant: "t", tier: "lead", capacity: "1", rate_per_sec: "1", ceiling_units: "1" }];
  const policy = { tenants, denylist: [] } as unknown as Policy;
  expect(() => new BucketBook(contract, policy)).toThrow("no tier lead");
});

test("a group that was not decided has no verdict", () => {
  expect(() => new VerdictTable(3).at(1)).toThrow("group 1 was not decided");
});

test("a policy opened otherwise states its balances as decimals, the template's too (§1.2)", () => {
  const tenants = ["t", "*"].map((tenant) => ({
    ...{ tenant, tier: "gold", capacity: "2.5", rate_per_sec: "1", ceiling_units: "1", opening_tokens: "1" },
  }));
  const policy = { tenants, denylist: ["x"] };
  const openings = (opening: "full" | "empty" | undefined) =>
    policyOpened(policy, opening).tenants.map(({ opening_tokens }) => opening_tokens);
  expect([openings("empty"), openings("full"), openings(undefined)]).toEqual([
    ["0", "0"],
    ["2.5", "2.5"],
    ["1", "1"],
  ]);
  expect(policyOpened(policy, "empty").denylist).toEqual(["x"]);
});
