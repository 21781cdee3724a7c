import { expect, test } from "@playwright/test";
import { FALSE_GREEN_FAULTS, PROBLEM_FAULTS } from "../lib/rounds/trials/scenario.ts";
import { ownRound } from "./own-try.ts";
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
  await row.getByRole("link", { name: "totals.used" }).click();
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
  await page.waitForURL(/section=decisions/);
  // Only decisions are left: the rows are those of the section, no longer those of everything.
  await expect(page.getByRole("row").nth(1)).toContainText("decisions[");
  await page
    .getByRole("row")
    .filter({ hasText: "wait_ms" })
    .last()
    .getByRole("button", { name: "Open" })
    .click();
  const derivations = page.getByRole("region", { name: "Derivations" });
  await expect(derivations.getByRole("row").filter({ hasText: "engine" })).toBeVisible();
  await expect(derivations.getByRole("row").filter({ hasText: "reference" })).toBeVisible();
});

test("j and k move from row to row, End goes to the last, Enter opens", async ({ page }) => {
  const table = page.getByRole("table", { name: /^Diff/ });
  const paths = page.getByRole("row").filter({ hasText: /^counts\./ });
  await expect(paths.first()).toBeVisible();
  const [first, second] = await paths.getByRole("link").allTextContents();
  const marked = page.locator("[data-marked]");
  await table.focus();
  await page.keyboard.press("j");
  await expect(marked).toContainText(first!);
  await page.keyboard.press("j");
  await expect(marked).toContainText(second!);
  await page.keyboard.press("k");
  await expect(marked).toContainText(first!);
  await page.keyboard.press("Enter");
  // What opens comes into view and takes the focus; Escape gives it back to the table.
  const panel = page.getByRole("region", { name: "The opened place" });
  await expect(panel).toContainText(first!);
  await expect(panel).toBeFocused();
  await expect(panel.getByRole("heading", { level: 2 })).toBeInViewport();
  await page.keyboard.press("Escape");
  await expect(panel).toHaveCount(0);
  await expect(table).toBeFocused();
  await page.keyboard.press("End");
  await expect(marked).toContainText("checksum");
});

test("what is open is in the URL: a reload opens it again, Back closes it", async ({ page }) => {
  const address = page.url();
  const row = page.getByRole("row").filter({ hasText: "totals.used" });
  await row.getByRole("button", { name: "Open" }).click();
  const panel = page.getByRole("region", { name: "The opened place" });
  await expect(panel.getByRole("heading", { level: 2 })).toBeInViewport();
  await expect(page).toHaveURL(/[?&]open=\d+/);
  await page.reload();
  await expect(panel).toContainText("totals.used");
  await page.goBack();
  await expect(page).toHaveURL(address);
  await expect(panel).toHaveCount(0);
  await page.goForward();
  await expect(panel).toContainText("totals.used");
  await panel.getByRole("button", { name: "Close" }).click();
  await expect(panel).toHaveCount(0);
  await expect(page).not.toHaveURL(/open=/);
});

test("two counts of one finding are told beside each other", async ({ page }) => {
  await expect(page.getByText(/^\d+ and \d+ are two counts of one finding/)).toBeVisible();
});

test("the worst of a section comes first: another verdict before another number", async ({ page }) => {
  await page.getByRole("link", { name: /^decisions \(/ }).click();
  const places = page.getByRole("row").filter({ hasText: /^decisions\[/ });
  await expect(places.first()).toBeVisible();
  const paths = await places.getByRole("link").first().textContent();
  expect(paths).not.toMatch(/wait_ms/);
});

test("a deviation is recorded with reason and name, stays a mismatch, and can be withdrawn", async ({
  page,
}) => {
  await ownRound(page, "deviates.jsonl", [...PROBLEM_FAULTS, ...FALSE_GREEN_FAULTS]);
  await new RoundPage(page).tab("Diff");
  const row = page.getByRole("row").filter({ hasText: "totals.used" });
  await row.getByRole("button", { name: "Open" }).click();
  const panel = page.getByRole("region", { name: "The opened place" });
  await panel.getByLabel("Why it is known to differ").fill("Billing rounds up; agreed in review");
  await panel.getByLabel("Your name").fill("Ada");
  await panel.getByRole("button", { name: "Record" }).click();
  await expect(panel.getByRole("region", { name: "Recorded deviation" })).toContainText("Recorded by Ada");
  await page.reload();
  await expect(row).toContainText("Billing rounds up");
  await expect(row).toContainText("mismatch");
  await expect(page.getByText("1 deviation recorded")).toBeVisible();
  await expect(new RoundPage(page).falseGreen).toBeVisible();
  await row.getByRole("button", { name: "Open" }).click();
  await panel.getByRole("button", { name: "Withdraw" }).click();
  await expect(panel.getByRole("button", { name: "Record" })).toBeVisible();
  await expect(row).not.toContainText("Billing rounds up");
});
