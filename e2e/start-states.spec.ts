import { expect, test } from "@playwright/test";
import { ownRound } from "./own-try.ts";
import { RoundPage } from "./pages/round-page.ts";
import { expectSound, inEveryLook } from "./sound-page.ts";

test("a round is decided from full and from empty on request, and what depends on it is marked", async ({
  page,
}) => {
  const round = await ownRound(page, "starts.jsonl");
  await expect(page.getByRole("region", { name: "Start states" })).toContainText("was not asked yet");
  await new RoundPage(page).tab("Start states");
  await page.getByRole("button", { name: "Decide from full and from empty" }).click();
  await expect(
    page.getByText(/decisions depend on how full the buckets were at the start, of 16;/),
  ).toBeVisible();
  await expect(
    page.getByText("The reference, on its own, decides both starts in the same way."),
  ).toBeVisible();
  const table = page.getByRole("table", { name: /^Decisions that depend on the start/ });
  await expect(table.getByRole("row").nth(1)).toContainText(/req-\d+/);
  const id = (await table.getByRole("row").nth(1).getByRole("link").textContent()) ?? "";

  // Counted on the round's first page, marked among its decisions, and found again after a reload.
  await page.reload();
  await expect(table).toBeVisible();
  await page.goto(round);
  await expect(page.getByRole("region", { name: "Start states" })).toContainText(/decisions depend/);
  await new RoundPage(page).tab("Dispatch");
  const marked = page.getByRole("row").filter({ hasText: "depends on the start" });
  await expect(marked.filter({ hasText: id })).toHaveCount(1);
  await expect(page.getByRole("row").filter({ hasText: "denylisted" })).not.toContainText(
    "depends on the start",
  );
});

inEveryLook("axe finds nothing in start states", async (page) => {
  await page.goto(`${await ownRound(page, "start-look.jsonl")}/start`);
  await page.getByRole("button", { name: "Decide from full and from empty" }).click();
  await expect(page.getByRole("table", { name: /^Decisions that depend/ })).toBeVisible();
  await expectSound(page);
});
