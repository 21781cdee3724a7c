import { expect, test } from "@playwright/test";
import { RoundPage } from "./pages/round-page.ts";
import { RoundsPage } from "./pages/rounds-page.ts";

const TOTAL = 10_000_000;

test("of ten million rows every one is reached, though a browser scrolls over a tenth of them", async ({
  page,
}) => {
  const rounds = new RoundsPage(page);
  await rounds.open();
  await rounds.openRound("clean");
  // As many rows as a large round has, of which each tells its place.
  await page.route("**/api/rounds/*/decisions?*", async (route) => {
    const { searchParams } = new URL(route.request().url());
    const [offset, limit] = [Number(searchParams.get("offset")), Number(searchParams.get("limit"))];
    const first = new URL(route.request().url());
    first.searchParams.set("offset", "0");
    const [row] = (await (await route.fetch({ url: first.href })).json()).rows;
    await route.fulfill({
      json: {
        total: TOTAL,
        rows: Array.from({ length: Math.min(limit, TOTAL - offset) }, (_, at) => ({
          ...row,
          req_id: `far-${offset + at}`,
        })),
      },
    });
  });
  await new RoundPage(page).tab("Dispatch");
  const table = page.getByRole("table");
  const row = (at: number) => page.getByRole("link", { name: `far-${at}`, exact: true });
  await expect(row(0)).toBeVisible();
  await table.focus();
  await page.keyboard.press("End");
  await expect(row(TOTAL - 1)).toBeVisible();
  await expect(page.locator("[data-marked]")).toHaveAttribute("aria-rowindex", String(TOTAL + 1));
  await expect(page.getByText(/^Rows 9.600.001 – 10.000.000 of 10.000.000$/)).toBeVisible();
  // From row to row over the edge of a stretch.
  const stretches = page.getByRole("navigation", { name: "Stretches of the table" });
  await stretches.getByRole("button", { name: /^Rows 1 – / }).click();
  await expect(row(0)).toBeVisible();
  await table.focus();
  await page.keyboard.press("Home");
  await stretches.getByRole("button", { name: "Next rows" }).click();
  await expect(row(400_000)).toBeVisible();
  await table.evaluate((element) => element.scrollTo(0, element.scrollHeight));
  await expect(row(799_999)).toBeVisible();
});
