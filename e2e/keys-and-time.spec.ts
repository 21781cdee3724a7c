import { expect, test } from "@playwright/test";
import { RoundPage } from "./pages/round-page.ts";
import { RoundsPage } from "./pages/rounds-page.ts";

test("? shows the keys, / goes to the search, and both can be turned off", async ({ page }) => {
  await new RoundsPage(page).open();
  const sheet = page.getByRole("dialog", { name: "Keys" });
  await expect(page.getByRole("button", { name: "Keys" })).toBeEnabled();
  await page.keyboard.press("?");
  await expect(sheet).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(sheet).toBeHidden();
  await page.keyboard.press("/");
  await expect(page.getByRole("search").getByRole("textbox").first()).toBeFocused();
  await page.keyboard.type("?");
  await expect(sheet).toBeHidden();
  await page.getByRole("button", { name: "Keys" }).click();
  await sheet.getByLabel("Listen to / g and ? on every page").uncheck();
  await sheet.getByRole("button", { name: "Close" }).click();
  await page.keyboard.press("?");
  await expect(sheet).toBeHidden();
});

test("g goes to a request by its id, also one that a filter hides", async ({ page }) => {
  const rounds = new RoundsPage(page);
  await rounds.open();
  await rounds.openRound("clean");
  await new RoundPage(page).tab("Dispatch");
  // A key is listened to like the button of the keys, and leads to a field that listens.
  await expect(page.getByRole("button", { name: "Keys" })).toBeEnabled();
  await expect(page.getByLabel("Go to request")).toBeEnabled();
  await page.keyboard.press("g");
  await expect(page.getByLabel("Go to request")).toBeFocused();
  await page.getByLabel("Go to request").fill("req-0013");
  await page.keyboard.press("Enter");
  await expect(page.locator("[data-marked]")).toContainText("req-0013");
  await page.getByLabel("Sort by").selectOption("wait");
  await page.keyboard.press("Escape");
  await page.getByLabel("Go to request").fill("req-0013");
  await page.getByLabel("Go to request").press("Enter");
  await expect(page.locator("[data-marked]")).toContainText("req-0013");
  await page.goto(`${page.url().split("?")[0]}?verdict=accepted&req=req-0013`);
  await expect(page.getByText("The filter hides request")).toBeVisible();
});

test("times are told on one clock that the reader chooses, and it is kept", async ({ page }) => {
  const rounds = new RoundsPage(page);
  await rounds.open();
  await rounds.openRound("clean");
  const started = page.getByRole("main").locator("time").first();
  await expect(started).toHaveText(/ UTC$/);
  const [utc, iso] = [await started.textContent(), await started.getAttribute("datetime")];
  await page.getByLabel("Time zone of this screen").selectOption("Australia/Eucla");
  await expect(started).toHaveText(/ UTC\+08:45$/);
  await page.reload();
  await expect(started).toHaveText(/ UTC\+08:45$/);
  const shifted = new Date(Date.parse(iso!) + (8 * 60 + 45) * 60_000).toISOString();
  await expect(started).toHaveText(`${shifted.slice(0, 10)} ${shifted.slice(11, 19)} UTC+08:45`);
  await page.getByLabel("Time zone of this screen").selectOption("UTC");
  await expect(started).toHaveText(utc!);
});

test("how long ago a round began, and the moment itself on focus", async ({ page }) => {
  const rounds = new RoundsPage(page);
  await rounds.open();
  const began = rounds.row("clean").last().locator("time");
  await expect(began.locator(".moment-relative")).toHaveText(/just now|ago/);
  await expect(began.locator(".moment-absolute")).toHaveCSS("opacity", "0");
  await began.focus();
  await expect(began.locator(".moment-absolute")).toHaveCSS("opacity", "1");
  await expect(began.locator(".moment-absolute")).toHaveText(/ UTC$/);
});
