import { expect, test } from "@playwright/test";
import { RoundPage } from "./pages/round-page.ts";
import { RoundsPage } from "./pages/rounds-page.ts";

test("a round is shared by link, read-only, until the link is revoked", async ({ page, browser }) => {
  const rounds = new RoundsPage(page);
  await rounds.open();
  await rounds.openRound("problem state");
  const link = await new RoundPage(page).share();
  expect(new URL(link).pathname).toMatch(/^\/share\/[A-Za-z0-9_-]{43}$/);

  const visitor = await (await browser.newContext()).newPage();
  await visitor.goto(link);
  const shared = new RoundPage(visitor);
  await expect(shared.falseGreen).toBeVisible();
  await expect(visitor.getByRole("button", { name: "Share" })).toHaveCount(0);
  await expect(visitor.getByRole("link", { name: "Rounds" })).toHaveCount(0);
  await shared.tab("Diff");
  await expect(visitor.getByRole("row").filter({ hasText: "totals.used" })).toBeVisible();
  await shared.tab("Inputs");
  const [download] = await Promise.all([
    visitor.waitForEvent("download"),
    visitor.getByRole("link", { name: "Download report" }).click(),
  ]);
  expect(download.suggestedFilename()).toBe("report.json");

  await new RoundPage(page).revoke(link);
  const gone = await visitor.goto(link);
  expect(gone?.status()).toBe(404);
  await expect(visitor.getByRole("heading", { name: "This link leads nowhere" })).toBeVisible();
  expect(
    (await visitor.request.get(`${new URL(link).origin}/api${new URL(link).pathname}/places`)).status(),
  ).toBe(404);
});

test("an unknown link leads nowhere", async ({ page }) => {
  const answer = await page.goto(`/share/${"A".repeat(43)}`);
  expect(answer?.status()).toBe(404);
  await expect(page.getByRole("heading", { name: "This link leads nowhere" })).toBeVisible();
});
