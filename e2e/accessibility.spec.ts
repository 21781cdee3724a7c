import { expect, test } from "@playwright/test";
import { RoundPage } from "./pages/round-page.ts";
import { RoundsPage } from "./pages/rounds-page.ts";
import { expectSound, inEveryLook } from "./sound-page.ts";

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

inEveryLook(
  "axe finds nothing",
  async (page) => {
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
  },
  { timeout_ms: 600_000 },
);

/** What an operator would stumble over in one look alone, put into a page, and how the walk tells it. */
const PLANTED: [flaw: string, html: string, told: RegExp][] = [
  ["an image without a text", '<img src="/icon.svg">', /light, 1440 px wide[\s\S]*image-alt/],
  [
    "ink that is paper in the dark",
    '<p style="color: light-dark(#000, #333)">ink</p>',
    /dark, 1440[\s\S]*color-contrast/,
  ],
  [
    "ink that is paper in the light",
    '<p style="color: light-dark(#eee, #eee)">ink</p>',
    /light, 1440[\s\S]*color-contrast/,
  ],
  [
    "what is broader than a telephone",
    '<div style="width: 500px">broad</div>',
    /390 px wide scrolls sideways/,
  ],
  [
    "a button without a name on a telephone",
    '<style>@media (min-width: 600px) { .planted { display: none } }</style><button class="planted"></button>',
    /dark, 390 px wide[\s\S]*button-name/,
  ],
];

for (const [flaw, html, told] of PLANTED)
  test(`the walk finds ${flaw}`, async ({ page }) => {
    await page.emulateMedia({ reducedMotion: "reduce" });
    await page.goto("/nowhere");
    await page
      .locator("main")
      .evaluate((main, planted) => main.insertAdjacentHTML("beforeend", planted), html);
    await expect(expectSound(page, "planted")).rejects.toThrow(told);
  });
