import { expect, test } from "@playwright/test";
import { RoundPage } from "./pages/round-page.ts";
import { RoundsPage } from "./pages/rounds-page.ts";

test("a new installation shows a clean round and a false green", async ({ page }) => {
  const rounds = new RoundsPage(page);
  await rounds.open();
  await expect(rounds.row("problem state")).toContainText("False green");
  await expect(rounds.row("clean")).not.toContainText("False green");

  await rounds.openRound("problem state");
  const round = new RoundPage(page);
  await expect(round.falseGreen).toContainText("Report, exit and health say well");
  for (const liar of ["report", "exit", "health"])
    await expect(round.signal(liar)).toHaveAttribute("data-lies", "true");
  for (const honest of ["probe", "acceptance"])
    await expect(round.signal(honest)).toHaveAttribute("data-claim", "unwell");
  await expect(round.signal("health")).toContainText("0 checks");
});

test("the clean round is well by all five signals", async ({ page }) => {
  const rounds = new RoundsPage(page);
  await rounds.open();
  await rounds.openRound("clean");
  const round = new RoundPage(page);
  for (const signal of ["report", "exit", "health", "probe", "acceptance"]) {
    await expect(round.signal(signal)).toHaveAttribute("data-claim", "well");
    await expect(round.signal(signal)).toHaveAttribute("data-lies", "false");
  }
  await expect(round.falseGreen).toHaveCount(0);
});

test("only false greens can be listed", async ({ page }) => {
  const rounds = new RoundsPage(page);
  await rounds.open();
  await page.getByRole("button", { name: "Only false greens" }).click();
  await expect(page).toHaveURL(/show=false-green/);
  await expect(rounds.row("clean")).toHaveCount(0);
  await expect(rounds.row("problem state")).toHaveCount(1);
});
