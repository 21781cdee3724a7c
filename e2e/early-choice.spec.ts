import { expect, type Page, test } from "@playwright/test";
import { NewRoundPage } from "./pages/new-round-page.ts";

/** Holds back the scripts of pages until they are let through. */
async function holdScripts(page: Page): Promise<() => void> {
  let letThrough = () => {};
  const isOpen = new Promise<void>((resolve) => {
    letThrough = resolve;
  });
  await page.route("**/_next/static/**/*.js", async (route) => {
    await isOpen;
    await route.continue();
  });
  return letThrough;
}

/** The round that a study is asked for, as it is sent. */
async function askedRound(page: Page): Promise<string> {
  const sent = page.waitForRequest(
    (request) => request.method() === "POST" && request.url().includes("/faults"),
  );
  await page.getByRole("button", { name: "Try the faults" }).click();
  return /"round_id":"([^"]+)"/.exec((await sent).postData() ?? "")?.[1] ?? "";
}

test("what is chosen in the lab is what is sent, however late the page's script comes", async ({ page }) => {
  const listen = await holdScripts(page);
  await page.goto("/faults?preset=problem-state", { waitUntil: "domcontentloaded" });
  const round = page.getByLabel("Round", { exact: true });
  await expect(round).toBeDisabled();
  for (const label of ["How much of it", "Time zone of this screen"])
    await expect(page.getByLabel(label)).toBeDisabled();
  await expect(page.getByRole("radio", { name: "An upload" })).toBeDisabled();
  await expect(page.getByRole("button", { name: "The problem state" })).toBeDisabled();
  await expect(page.getByRole("button", { name: "Try the faults" })).toBeDisabled();
  await expect(page.getByRole("link", { name: "New round" })).toBeEnabled();
  listen();
  const last = await round.getByRole("option").last().getAttribute("value");
  await round.selectOption(last);
  expect(await askedRound(page)).toBe(last);
});

test("a round's form waits for the script, and a list is searched without it", async ({ page }) => {
  const listen = await holdScripts(page);
  await page.goto("/rounds/new", { waitUntil: "domcontentloaded" });
  const form = new NewRoundPage(page);
  await expect(page.getByRole("radio", { name: /Lenient/ })).toBeDisabled();
  await expect(page.getByRole("button", { name: "Run the round" })).toBeDisabled();
  await expect(page.getByRole("textbox", { name: "Name", exact: true })).toBeDisabled();
  listen();
  await page.getByRole("radio", { name: /Lenient/ }).check();
  await form.chooseStream("early.jsonl", "");
  await form.run();
  await expect(page.getByText(/lenient reading/)).toBeVisible();

  await page.unrouteAll();
  await holdScripts(page);
  await page.goto("/rounds?status=clean", { waitUntil: "domcontentloaded" });
  await expect(page.getByLabel("Status", { exact: true })).toBeDisabled();
  await page.getByLabel("Name or stream").fill("Scenario");
  await page.getByRole("button", { name: "Search" }).click({ noWaitAfter: true });
  await expect(page).toHaveURL(/q=Scenario/);
  await expect(page).toHaveURL(/status=clean/);
});
