import AxeBuilder from "@axe-core/playwright";
import { expect, type Page, test } from "@playwright/test";
import { RoundsPage } from "./pages/rounds-page.ts";

async function findings(page: Page): Promise<string[]> {
  // Names are shown by the page itself only once it has been hydrated.
  await page.waitForLoadState("networkidle");
  const { violations } = await new AxeBuilder({ page }).analyze();
  return violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(" ")}`));
}

const TABS = [
  "",
  "/buckets",
  "/buckets?tenant=t-alpha",
  "/dispatch",
  "/breaches",
  "/diff",
  "/checks",
  "/inputs",
];

for (const colorScheme of ["light", "dark"] as const)
  for (const width of [1440, 390])
    test(`axe finds nothing, ${colorScheme}, ${width} px wide`, async ({ browser }) => {
      test.setTimeout(180_000);
      const context = await browser.newContext({ colorScheme, viewport: { width, height: 900 } });
      const page = await context.newPage();
      const errors: string[] = [];
      page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
      page.on("pageerror", (error) => errors.push(error.message));
      const rounds = new RoundsPage(page);
      await rounds.open();
      expect(await findings(page)).toEqual([]);
      await rounds.openRound("problem state");
      const round = page.url();
      for (const tab of TABS) {
        await page.goto(round + tab);
        expect(await findings(page), tab).toEqual([]);
        const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
        expect(overflow, `${tab} scrolls sideways`).toBeLessThanOrEqual(0);
      }
      await page.goto("/rounds/new");
      expect(await findings(page)).toEqual([]);
      expect(errors).toEqual([]);
      await page.goto("/nowhere");
      expect(await findings(page)).toEqual([]);
      await context.close();
    });
