import { expect, test } from "@playwright/test";
import { PROBLEM_FAULTS } from "../lib/rounds/trials/scenario.ts";
import { ownRound } from "./own-try.ts";
import { ComparePage } from "./pages/compare-page.ts";
import { expectSound, inEveryLook } from "./sound-page.ts";

test("clean and problem state: flips both ways, and every view has a link", async ({ page }) => {
  const compare = new ComparePage(page);
  await compare.open();
  await compare.choose("A", "clean");
  await compare.choose("B", "problem state");
  await compare.compare();
  await expect(compare.sentence).toBeVisible();
  await expect(page.getByText("Contract: the same in A and B.")).toBeVisible();
  await expect(page.getByText("Stream: the same in A and B, byte for byte.")).toBeVisible();
  await expect(page.getByText(/Faults injected: A none; B request-at-a-time/)).toBeVisible();
  await expect(page.getByRole("row", { name: /^used, tokens 37 27 −10/ })).toBeVisible();

  const first = page
    .getByRole("table", { name: /^Requests that differ/ })
    .getByRole("row")
    .nth(1);
  await expect(first).toContainText(/req-\d+/);
  await first.getByRole("link", { name: "Explain both" }).click();
  await expect(page).toHaveURL(/req=req-/);
  const explained = page.getByRole("region", { name: "Both explanations" });
  await expect(explained.getByRole("img", { name: "Side A" })).toBeVisible();
  await expect(explained.getByRole("row").filter({ hasText: "§3.4 step" }).first()).toBeVisible();
  await page.reload();
  await expect(explained).toBeVisible();

  await page.getByRole("button", { name: "Turn A and B round" }).click();
  await expect(page.getByRole("row", { name: /^used, tokens 27 37 \+10/ })).toBeVisible();
});

test("to look at a pair starts nothing: it says what would be compared, and a button compares it", async ({
  page,
}) => {
  const compare = new ComparePage(page);
  // Beside itself, which nobody asked for before.
  const a = new URL(await ownRound(page, "pair.jsonl", PROBLEM_FAULTS)).pathname.split("/").at(-1);
  const address = `/compare?a=${a}&b=${a}`;
  for (let times = 0; times < 2; times += 1) {
    await page.goto(address);
    await expect(page.getByText("Nothing was compared yet")).toBeVisible();
  }
  await expect(page.getByText("contract the same, policy the same, stream the same")).toBeVisible();
  await expect(
    page.getByRole("region", { name: "What would be compared" }).getByRole("row", { name: "Accepted 7 7" }),
  ).toBeVisible();
  await expectSound(page);
  await page.getByRole("button", { name: "Compare A and B" }).click();
  await expect(compare.sentence).toContainText("A and B are the same");
  await page.goto(address);
  await expect(compare.sentence).toBeVisible();
});

test("one stream under another policy is run and compared, and what differs in the policy is named first", async ({
  page,
}) => {
  const compare = new ComparePage(page);
  await compare.open();
  await compare.choose("A", "clean");
  const policy = page.getByLabel("Policy of B", { exact: true });
  const text = await policy.inputValue();
  await policy.fill(text.replace('"capacity": 16', '"capacity": "many"'));
  await page.getByRole("button", { name: "Run B and compare" }).click();
  await expect(page.getByRole("alert").filter({ hasText: "Round B was not started" })).toContainText(
    "capacity",
  );
  await policy.fill(text.replace('"capacity": 16', '"capacity": 15'));
  await page.getByRole("button", { name: "Run B and compare" }).click();
  await page.waitForURL(/[?&]b=/);
  const differences = page.getByRole("region", { name: "Differences of the policy" });
  await expect(differences.getByRole("row").filter({ hasText: "capacity" })).toContainText("16");
  await expect(differences.getByRole("row").filter({ hasText: "capacity" })).toContainText("15");
});

test("a round beside itself is the same, and says so plainly", async ({ page }) => {
  const compare = new ComparePage(page);
  await compare.open();
  await compare.choose("A", "clean");
  await compare.choose("B", "clean");
  await compare.compare();
  await expect(compare.sentence).toContainText("A and B are the same");
  await expect(page.getByText("Every request is decided the same.")).toBeVisible();
});

inEveryLook("axe finds nothing in a comparison", async (page) => {
  const compare = new ComparePage(page);
  await compare.open();
  await expectSound(page);
  await compare.choose("A", "clean");
  await compare.choose("B", "problem state");
  await compare.compare();
  await page.getByRole("link", { name: "Explain both" }).first().click();
  await expect(
    page.getByRole("region", { name: "Both explanations" }).getByRole("table").first(),
  ).toBeVisible();
  await expectSound(page);
});
