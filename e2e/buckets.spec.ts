import { expect, test } from "@playwright/test";
import { RoundPage } from "./pages/round-page.ts";
import { RoundsPage } from "./pages/rounds-page.ts";

test.beforeEach(async ({ page }) => {
  const rounds = new RoundsPage(page);
  await rounds.open();
  await rounds.openRound("clean");
});

test("buckets are searched, sorted and pinned; a pin stays on top of another search", async ({ page }) => {
  await new RoundPage(page).tab("Buckets");
  const cards = page.getByRole("article");
  await expect(cards.first()).toContainText("t-alpha");
  await page.getByLabel("Sort by").selectOption("name");
  await expect(page).toHaveURL(/sort=name/);
  const gamma = cards.filter({ hasText: "t-gamma" });
  await gamma.getByRole("button", { name: "Pin" }).click();
  await expect(page).toHaveURL(/pin=t-gamma/);
  await expect(cards.first()).toContainText("t-gamma");
  await page.getByLabel("Tenant").fill("beta");
  await page.getByRole("button", { name: "Search" }).click();
  await expect(page).toHaveURL(/q=beta/);
  await expect(cards).toHaveCount(2);
  await expect(cards.first()).toContainText("t-gamma");
  await page.reload();
  await expect(cards.first()).toContainText("t-gamma");
  await cards.first().getByRole("button", { name: "Unpin" }).click();
  await expect(cards).toHaveCount(1);
});

test("a tenant opens to its groups, each with its arithmetic and what would have turned it", async ({
  page,
}) => {
  await page.goto(`${page.url()}/buckets?tenant=t-alpha`);
  const groups = page.getByRole("region", { name: "Groups as the engine decided them" });
  await expect(groups.getByRole("columnheader", { name: "Signed balance" })).toBeVisible();
  // What is accepted waits 0 ms (§3.4), also where it borrowed.
  const borrowed = groups.getByRole("row").filter({ hasText: "§3.4 step 2" });
  await expect(borrowed.getByRole("cell", { name: "0 ms", exact: true })).toBeVisible();
  await expect(groups.getByRole("row").filter({ hasText: "§3.4 step 2" })).toContainText(
    "would have spared the reserve",
  );
  await expect(
    page.getByText("The reference decided every one of these groups in the same way."),
  ).toBeVisible();
});

test("a decision explains itself, also one of a tenant that is not served", async ({ page }) => {
  const round = page.url();
  await page.goto(`${round}/dispatch?verdict=queued`);
  await page.getByRole("row").nth(1).getByRole("button", { name: "Open" }).click();
  const panel = page.getByRole("region", { name: "The opened decision" });
  await expect(panel.getByRole("row").filter({ hasText: "reference" })).toContainText(
    /tokens more, or .* later/,
  );
  await page.goto(`${round}/dispatch?tenant=t-delta`);
  await page.getByRole("row").nth(1).getByRole("button", { name: "Open" }).click();
  await expect(panel).toContainText("on the denylist");
  await panel.getByRole("button", { name: "Close" }).click();
  await expect(panel).toBeHidden();
});
