import { expect, type Page, test } from "@playwright/test";
import { longStream, ownName } from "./own-try.ts";
import { DocumentPart, NewRoundPage } from "./pages/new-round-page.ts";
import { RoundPage } from "./pages/round-page.ts";
import { scenarioFile } from "./scenario-files.ts";
import { expectNoFindings } from "./sound-page.ts";

const TENANTS = 1000;

const opened = async (page: Page): Promise<NewRoundPage> => {
  const form = new NewRoundPage(page);
  await form.open();
  await form.policy.expectSound();
  return form;
};

/** A policy of many tenants, with spellings and fields that a careless editor would lose. */
const manyTenants = () =>
  `{"denylist": [], "tenants": [\n${Array.from(
    { length: TENANTS },
    (_, n) =>
      `{"capacity": 5.0, "tenant": "tenant-${n}", "tier": "standard", "rate": "7/3s", "ceiling_units": 2.40e0}`,
  ).join(",\n")}]}`;

test("form and JSON are one document, to the digit; each error stands beside its field", async ({ page }) => {
  const { policy } = await opened(page);
  await policy.field("Capacity of t-alpha").fill("16.50");
  await policy.show("JSON");
  await expect(policy.json).toHaveValue(/"capacity": 16\.50/);
  await policy.show("Form");
  await policy.field("Capacity of t-alpha").fill("abc");
  await expect(policy.part.getByText(/is not a number; expected a decimal > 0/)).toBeVisible();
  await policy.field("Rate of t-alpha").fill("7/3x");
  await expect(policy.part.getByText(/is no rate; expected/)).toBeVisible();
  await expect(policy.part.getByText("2 problems")).toBeVisible();
  await expectNoFindings(page);
  await policy.show("JSON");
  await expect(policy.json).toHaveValue(/"capacity": "abc"/);
  await policy.part
    .getByRole("button", { name: /^line \d+$/ })
    .first()
    .click();
  const selected = await policy.json.evaluate((area: HTMLTextAreaElement) =>
    area.value.slice(area.selectionStart, area.selectionEnd),
  );
  expect(selected).toContain('"abc"');
  await policy.writeJson("{");
  await expect(policy.part.getByText(/is no JSON/)).toBeVisible();
  await expectNoFindings(page);
  await policy.show("Form");
  await expect(policy.part.getByText(/put it right as JSON first/)).toBeVisible();
});

test("a contract's tiers change their rank, and a policy is judged by the contract beside it", async ({
  page,
}) => {
  const { contract, policy } = await opened(page);
  await contract.field("Grace").fill("-1");
  await expect(
    contract.part.getByText("is no integer in range; expected an integer 0 … 86400000"),
  ).toBeVisible();
  await expect(policy.part.getByText("not judged")).toBeVisible();
  await contract.field("Grace").fill("60000");
  await policy.expectSound();
  const first = contract.field("Name of tier 0");
  const name = await first.inputValue();
  await contract.part.getByRole("button", { name: `Lower ${name}` }).click();
  await expect(contract.field("Name of tier 1")).toHaveValue(name);
  await contract.show("Changes");
  await expect(contract.part.getByRole("row").filter({ hasText: `tiers["${name}"]` })).toContainText(
    "rank 1",
  );
});

test("versions are kept by name, compared with the one before, and found again", async ({ page }) => {
  const { policy } = await opened(page);
  const name = ownName("Night shift");
  await policy.field("Capacity of t-alpha").fill("17");
  await policy.keep(name);
  await expect(policy.part.getByText("Kept as version 1.")).toBeVisible();
  await policy.field("Capacity of t-alpha").fill("18.0");
  await policy.show("Changes");
  const row = policy.part.getByRole("row").filter({ hasText: 'tenants["t-alpha"].capacity' });
  await expect(row).toContainText("17");
  await expect(row).toContainText("18.0");
  await policy.keep();
  await expect(policy.part.getByText("Kept as version 2.")).toBeVisible();
  await expect(row).toContainText("18.0");
  await policy.keep();
  await expect(policy.part.getByText("Version 2 has this text already.")).toBeVisible();
  await page.reload();
  await policy.expectSound();
  await policy.part.getByLabel("Kept policy").selectOption(name);
  await expect(policy.field("Capacity of t-alpha")).toHaveValue("18.0");
  await policy.part.getByLabel("Version of the policy").selectOption("Version 1");
  await expect(policy.field("Capacity of t-alpha")).toHaveValue("17");
  await expectNoFindings(page);
});

test("what somebody else kept meanwhile is not overwritten", async ({ page, context }) => {
  const { policy } = await opened(page);
  const name = ownName("Shared work");
  await policy.field("Capacity of t-alpha").fill("11");
  await policy.keep(name);
  await expect(policy.part.getByText("Kept as version 1.")).toBeVisible();
  const elsewhere = await context.newPage();
  const other = (await opened(elsewhere)).policy;
  await other.part.getByLabel("Kept policy").selectOption(name);
  await expect(other.field("Capacity of t-alpha")).toHaveValue("11");
  await other.field("Capacity of t-alpha").fill("12");
  await other.keep();
  await expect(other.part.getByText("Kept as version 2.")).toBeVisible();
  await policy.field("Capacity of t-alpha").fill("13");
  await policy.keep();
  await expect(policy.part.getByText(/Version 2 is there already/)).toBeVisible();
  await policy.part.getByRole("button", { name: "Compare with version 2" }).click();
  await expect(policy.part.getByRole("row").filter({ hasText: "capacity" })).toContainText("12");
  await policy.keep();
  await expect(policy.part.getByText("Kept as version 3.")).toBeVisible();
});

test("a policy of a thousand tenants stays usable: search, add, take away, nothing else changes", async ({
  page,
}) => {
  const { policy } = await opened(page);
  await policy.upload("large.json", manyTenants());
  await expect(
    policy.part.getByText(`${TENANTS.toLocaleString("en").replace(",", "\u2009")} tenants`),
  ).toBeVisible();
  await policy.part.getByLabel("Search tenants").fill("tenant-77");
  await expect(policy.part.getByText(/^11 of/)).toBeVisible();
  await policy.field("Capacity of tenant-777").fill("6.25");
  await policy.part.getByRole("button", { name: "Take away tenant-776" }).click();
  await expect(policy.part.getByText(/^10 of/)).toBeVisible();
  await policy.part.getByRole("button", { name: "Add a tenant" }).click();
  await policy.field("Tenant of tenant 1").fill("__proto__");
  await policy.show("JSON");
  const text = await policy.json.inputValue();
  expect(text).toContain(
    '{ "capacity": 6.25, "tenant": "tenant-777", "tier": "standard", "rate": "7/3s", "ceiling_units": 2.40e0 }',
  );
  expect(text).not.toContain('"tenant-776"');
  expect(text.match(/"capacity": 5\.0,/g)).toHaveLength(TENANTS - 2);
  expect(text).toContain('"tenant": "__proto__"');
});

test("a round starts with a kept version, can be left, is found again after a reload, and cancelled", async ({
  page,
}) => {
  test.setTimeout(180_000);
  const name = ownName("Left alone");
  const form = await opened(page);
  await form.policy.field("Opening of t-alpha").fill("1");
  await form.policy.keep(name);
  await expect(form.policy.part.getByText("Kept as version 1.")).toBeVisible();
  await form.chooseFile(longStream("left.jsonl"));
  await form.run();
  await page.waitForURL(/\/rounds\/[0-9a-z]{20,}$/, { timeout: 90_000 });
  const round = page.url();
  await expect(page.getByText(/This page may be left/)).toBeVisible();
  await page.goto("/rounds");
  await page.goto(round);
  await page.reload();
  await expect(page.getByRole("list", { name: "Phases" })).toBeVisible();
  await page.getByRole("button", { name: "Cancel the round" }).click();
  await expect(page.getByText(/cancelled/i).first()).toBeVisible();
  await form.open();
  await expect(new DocumentPart(page, "Policy").part.getByLabel("Kept policy")).toHaveValue(/.+/);
  await expect(form.policy.field("Opening of t-alpha")).toHaveValue("1");
  await form.chooseStream("again.jsonl", scenarioFile("requests.jsonl"));
  await form.run();
  await page.waitForURL(/\/rounds\/[0-9a-z]{20,}$/);
  await expect(page.getByText(/17 requests decided; all/)).toBeVisible();
  await new RoundPage(page).tab("Inputs");
  await expect(page.getByRole("heading", { name: `Policy: ${name} v1` })).toBeVisible();
});
