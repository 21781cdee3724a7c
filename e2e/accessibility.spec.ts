import AxeBuilder from "@axe-core/playwright";
import { expect, type Page, test } from "@playwright/test";
import { RoundPage } from "./pages/round-page.ts";
import { RoundsPage } from "./pages/rounds-page.ts";

async function findings(page: Page): Promise<string[]> {
  // Names are shown by the page itself only once it has been hydrated.
  await page.waitForLoadState("networkidle");
  const { violations } = await new AxeBuilder({ page }).analyze();
  return violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(" ")}`));
}

async function expectSound(page: Page, where: string): Promise<void> {
  expect(await findings(page), where).toEqual([]);
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  expect(overflow, `${where} scrolls sideways`).toBeLessThanOrEqual(0);
}

/** With what each of them shows first, also where it finds nothing. */
const PAGES = [
  "/rounds",
  "/rounds?q=nothing+like+it",
  "/rounds?status=removed",
  "/rounds/new",
  "/faults",
  "/compare",
  "/audit",
  "/gate",
  "/contract",
];
const TABS = [
  "",
  "/buckets",
  "/buckets?tenant=t-alpha&pin=t-beta",
  "/buckets?q=nobody",
  "/dispatch",
  "/dispatch?search=none",
  "/breaches",
  "/diff",
  "/diff?result=all&section=order",
  "/checks",
  "/inputs",
];
/** Answered 404, which a browser tells as an error of its own. */
const NOT_FOUND = ["/nowhere", "/rounds/0", "/share/none"];

for (const colorScheme of ["light", "dark"] as const)
  for (const width of [1440, 390])
    test(`axe finds nothing, ${colorScheme}, ${width} px wide`, async ({ browser }) => {
      test.setTimeout(400_000);
      const context = await browser.newContext({
        colorScheme,
        reducedMotion: "reduce",
        viewport: { width, height: 900 },
      });
      const page = await context.newPage();
      const errors: string[] = [];
      page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
      page.on("pageerror", (error) => errors.push(error.message));
      for (const path of PAGES) {
        await page.goto(path);
        await expectSound(page, path);
      }
      const rounds = new RoundsPage(page);
      await rounds.open();
      await rounds.openRound("problem state");
      const round = page.url();
      for (const tab of TABS) {
        await page.goto(round + tab);
        await expectSound(page, tab);
      }
      await page.goto(`${round}/diff`);
      await page.getByRole("button", { name: "Open" }).first().click();
      await expect(page.getByRole("region", { name: "The opened place" })).toBeVisible();
      await expectSound(page, "an opened place");
      await page.goto(`${round}/dispatch`);
      await page.getByRole("button", { name: "Open" }).first().click();
      await expect(page.getByRole("region", { name: "The opened decision" })).toBeVisible();
      await expectSound(page, "an opened decision");
      await page.getByRole("button", { name: "Keys" }).click();
      await expectSound(page, "the sheet of keys");
      await page.keyboard.press("Escape");
      await page.goto(round);
      const link = await new RoundPage(page).share();
      await expectSound(page, "the dialog of links");
      await page.goto(link);
      await expectSound(page, "a shared round");
      expect(errors).toEqual([]);
      for (const path of NOT_FOUND) {
        await page.goto(path);
        await expectSound(page, path);
      }
      await context.close();
    });
