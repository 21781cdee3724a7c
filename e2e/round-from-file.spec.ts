import { expect, test } from "@playwright/test";
import { NewRoundPage } from "./pages/new-round-page.ts";
import { RoundPage } from "./pages/round-page.ts";
import { scenarioFile } from "./scenario-files.ts";

test("a dropped stream becomes a verified report", async ({ page }) => {
  const form = new NewRoundPage(page);
  await form.open();
  await form.chooseStream("dropped.jsonl", scenarioFile("requests.jsonl"));
  await expect(page.getByLabel("First lines of the stream")).toContainText("req-0013");
  await form.run();
  await page.waitForURL(/\/rounds\/[0-9a-z]{20,}$/);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("dropped.jsonl");
  await expect(
    page.getByText(/17 requests decided; all .* checks against the independent recomputation match/),
  ).toBeVisible();

  const round = new RoundPage(page);
  await round.tab("Dispatch");
  await expect(page.getByRole("row").nth(1)).toContainText("req-0001");
  await page.goto(`${page.url()}?req=req-0013`);
  await expect(page.locator("[data-marked]")).toContainText("req-0013");
  await expect(page.locator("[data-marked]")).toContainText("550 ms");

  await round.tab("Breaches");
  await expect(page.getByRole("article")).toContainText("Balance 10.6, reserve 4, required 10.8");
  await round.tab("Buckets");
  await page.getByRole("link", { name: "t-alpha" }).click();
  await expect(
    page.getByText("The reference decided every one of these groups in the same way."),
  ).toBeVisible();
  await round.tab("Checks");
  await expect(page.getByText(/^checks: \d+; 0 mismatches/)).toBeVisible();
});

test("a round with a fault injected is not well, and its diff says where", async ({ page }) => {
  const form = new NewRoundPage(page);
  await form.open();
  await page.getByRole("button", { name: "Take the scenario's stream" }).click();
  await page.getByRole("button", { name: /Inject known faults/ }).click();
  await page.getByRole("checkbox", { name: /Binary floats/ }).check();
  await form.run();
  await page.waitForURL(/\/rounds\/[0-9a-z]{20,}$/);
  const round = new RoundPage(page);
  await expect(round.signal("health")).toHaveAttribute("data-claim", "unwell");
  await page.getByRole("link", { name: "Open the diff" }).click();
  await expect(page.getByRole("row").filter({ hasText: "wait_ms" }).filter({ hasText: "550" })).toContainText(
    "551",
  );
});
