import { readFileSync } from "node:fs";
import { expect, test } from "@playwright/test";
import { ownRound } from "./own-try.ts";
import { RoundPage } from "./pages/round-page.ts";

test("a breach shows its smallest stream, which can be downloaded and rerun", async ({ page }) => {
  const whole = await ownRound(page, "witness.jsonl");
  const round = new RoundPage(page);
  await round.tab("Breaches");
  const witness = page.getByRole("region", { name: /^Witness of/ });
  await witness.getByRole("button", { name: "Find the smallest stream" }).click();
  await expect(witness).toContainText("confirmed by the reference", { timeout: 45_000 });
  await expect(witness).toContainText("None of them can be left out");
  const download = page.waitForEvent("download");
  await witness.getByRole("link", { name: "Download the stream" }).click();
  const lines = readFileSync(await (await download).path(), "utf8")
    .trimEnd()
    .split("\n");
  expect(lines.length).toBeGreaterThan(0);
  expect(lines.every((line) => JSON.parse(line).tenant === "t-alpha")).toBe(true);
  await page.reload();
  await expect(witness).toContainText("confirmed by the reference");
  await witness.getByRole("button", { name: "Run it as a round" }).click();
  await page.waitForURL((url) => /\/rounds\/[0-9a-z]{20,}$/.test(url.pathname) && url.href !== whole);
  await expect(round.signal("health")).toBeVisible();
  await round.tab("Breaches");
  await expect(page.getByText(/^1 breach$/)).toBeVisible();
});
