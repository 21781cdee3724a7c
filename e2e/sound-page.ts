import AxeBuilder from "@axe-core/playwright";
import { type BrowserContextOptions, expect, type Page, test } from "@playwright/test";

/** What axe finds is all that is asked for: a frame of another site, for which it works several times as long, is on no page. */
const builderOf = (page: Page) => new AxeBuilder({ page }).setLegacyMode(true);
const ONLY_VIOLATIONS = { resultTypes: ["violations" as const] };
/** What WCAG 2.2 AA asks for and axe looks at only where it is told to. */
const ALSO = { rules: { "target-size": { enabled: true } } };
/** Of axe's rules those that look at colours. */
const COLOUR_RULES = ["color-contrast", "link-in-text-block"];

type Scheme = "light" | "dark";
interface Look {
  width: number;
  scheme: Scheme;
  /** By every rule; else by those of colours, which are all that a scheme changes in the same document and layout. */
  isWhole: boolean;
}
/** Each width and each scheme is looked at by every rule once, and by those of colours in every look that a page has. */
const LOOKS: readonly Look[] = [
  { width: 1440, scheme: "light", isWhole: true },
  { width: 1440, scheme: "dark", isWhole: false },
  { width: 390, scheme: "dark", isWhole: true },
  { width: 390, scheme: "light", isWhole: false },
];

/** Axe finds nothing on a page as it is looked at now; `rules`: some of them, absent for all. */
export async function expectNoFindings(page: Page, where = page.url(), rules?: string[]): Promise<void> {
  const asked = rules === undefined ? ALSO : { runOnly: { type: "rule" as const, values: rules } };
  const { violations } = await builderOf(page)
    .options({ ...ONLY_VIOLATIONS, ...asked })
    .analyze();
  const findings = violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target }) => `${id}: ${target.join(" ")}`),
  );
  expect(findings, where).toEqual([]);
}

async function takeLook(page: Page, scheme: Scheme | null, size: { width: number; height: number }) {
  await page.emulateMedia({ colorScheme: scheme });
  await page.setViewportSize(size);
  if (scheme !== null)
    await expect(page.locator("html")).toHaveAttribute("data-mantine-color-scheme", scheme);
  // What measures itself, such as a chart, does so in the frame after.
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
}

/**
 * Axe finds nothing on a page as it stands, and nothing of it has to be scrolled for sideways, in each look that it has:
 * light and dark, wide and as narrow as a telephone. Pages follow their window and the scheme of the system while they
 * stand, so a story is told once for all of them. The page is left as it was.
 */
export async function expectSound(page: Page, where = page.url()): Promise<void> {
  // Names are shown by the page itself only once it has been hydrated.
  await page.waitForLoadState("networkidle");
  const before = page.viewportSize()!;
  for (const { width, scheme, isWhole } of LOOKS) {
    await takeLook(page, scheme, { width, height: 900 });
    const look = `${where}, ${scheme}, ${width} px wide`;
    await expectNoFindings(page, look, isWhole ? undefined : COLOUR_RULES);
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    expect(overflow, `${look} scrolls sideways`).toBeLessThanOrEqual(0);
  }
  await takeLook(page, null, before);
}

/** Tells a story that looks at pages in each of their looks; nothing moves, so that no colour is caught on its way. */
export function inEveryLook(
  title: string,
  walk: (page: Page) => Promise<void>,
  { timeout_ms = 240_000, ...options }: BrowserContextOptions & { timeout_ms?: number } = {},
): void {
  test(`${title}, light and dark, wide and narrow`, async ({ browser }) => {
    test.setTimeout(timeout_ms);
    const context = await browser.newContext({ reducedMotion: "reduce", ...options });
    await walk(await context.newPage());
    await context.close();
  });
}
