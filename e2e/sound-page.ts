import AxeBuilder from "@axe-core/playwright";
import { type Browser, type BrowserContextOptions, expect, type Page, test } from "@playwright/test";

/** Axe finds nothing on a page as it stands, and nothing of it has to be scrolled for sideways. */
export async function expectSound(page: Page, where = page.url()): Promise<void> {
  // Names are shown by the page itself only once it has been hydrated.
  await page.waitForLoadState("networkidle");
  const { violations } = await new AxeBuilder({ page }).analyze();
  const findings = violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target }) => `${id}: ${target.join(" ")}`),
  );
  expect(findings, where).toEqual([]);
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  expect(overflow, `${where} scrolls sideways`).toBeLessThanOrEqual(0);
}

async function inOneLook(
  browser: Browser,
  options: BrowserContextOptions,
  walk: (page: Page) => Promise<void>,
): Promise<void> {
  const context = await browser.newContext(options);
  await walk(await context.newPage());
  await context.close();
}

/** Tells a story in each look that a page has: light and dark, wide and as narrow as a telephone. */
export function inEveryLook(
  title: string,
  walk: (page: Page) => Promise<void>,
  { timeout_ms = 120_000, ...options }: BrowserContextOptions & { timeout_ms?: number } = {},
): void {
  for (const colorScheme of ["light", "dark"] as const)
    for (const width of [1440, 390])
      test(`${title}, ${colorScheme}, ${width} px wide`, async ({ browser }) => {
        test.setTimeout(timeout_ms);
        await inOneLook(browser, { ...options, colorScheme, viewport: { width, height: 900 } }, walk);
      });
}
