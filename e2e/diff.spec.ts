import { expect, test } from "@playwright/test";
import { RoundPage } from "./pages/round-page.ts";
import { RoundsPage } from "./pages/rounds-page.ts";

test.beforeEach(async ({ page }) => {
  const rounds = new RoundsPage(page);
  await rounds.open();
  await rounds.openRound("problem state");
  await new RoundPage(page).tab("Diff");
});

test("the diff shows report and reference side by side, and a row has a link of its own", async ({
  page,
}) => {
  const row = page.getByRole("row").filter({ hasText: "totals.used" });
  await expect(row).toContainText("27");
  await expect(row).toContainText("37");
  await row.getByRole("link").click();
  await expect(page).toHaveURL(/place=\d+/);
  await expect(page.locator("[data-marked]")).toContainText("totals.used");
  await page.reload();
  await expect(page.locator("[data-marked]")).toContainText("totals.used");
});

test("sections say how much matching they hide, and all can be shown", async ({ page }) => {
  await page.getByRole("link", { name: /^decisions \(\d+, \d+ matching hidden\)$/ }).click();
  await expect(page.getByRole("row").filter({ hasText: "match" }).first()).toBeVisible();
  await page.getByText("All", { exact: true }).click();
  await expect(page).toHaveURL(/result=all/);
  await expect(page.getByRole("link", { name: /matching hidden/ })).toHaveCount(0);
});

test("a decision shows both derivations", async ({ page }) => {
  await page.getByRole("link", { name: /^decisions \(/ }).click();
  await page
    .getByRole("row")
    .filter({ hasText: "wait_ms" })
    .first()
    .getByRole("button", { name: "Derive" })
    .click();
  const derivations = page.getByRole("region", { name: "Derivations" });
  await expect(derivations.getByRole("row").filter({ hasText: "engine" })).toBeVisible();
  await expect(derivations.getByRole("row").filter({ hasText: "reference" })).toBeVisible();
});

test("j and k move from row to row", async ({ page }) => {
  const table = page.getByRole("table", { name: /^Diff/ });
  await expect(page.getByRole("row").nth(1)).toContainText("counts.accepted");
  await table.focus();
  await page.keyboard.press("j");
  await expect(page.locator("[data-marked]")).toContainText("counts.accepted");
  await page.keyboard.press("j");
  await expect(page.locator("[data-marked]")).toContainText("counts.queued");
  await page.keyboard.press("k");
  await expect(page.locator("[data-marked]")).toContainText("counts.accepted");
});
