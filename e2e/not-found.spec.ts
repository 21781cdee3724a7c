import { expect, test } from "@playwright/test";
import { RoundsPage } from "./pages/rounds-page.ts";

/** What each page says where what it is about is not there. */
const NOWHERE: [path: string, heading: string][] = [
  ["/nowhere", "Nothing here"],
  ["/rounds/0", "Nothing here"],
  ["/rounds/0/diff", "Nothing here"],
  ["/rounds/0/start", "Nothing here"],
  ["/faults/0", "Nothing here"],
  ["/compare?a=0&b=0", "Nothing here"],
  ["/share/none", "This link leads nowhere"],
  ["/share/none/diff", "This link leads nowhere"],
];

for (const [path, heading] of NOWHERE)
  test(`${path} answers 404, and says so`, async ({ page }) => {
    expect((await page.goto(path))?.status()).toBe(404);
    await expect(page.getByRole("heading", { level: 1, name: heading })).toBeVisible();
  });

test("a round that is there answers 200, each of its tabs too", async ({ page }) => {
  const rounds = new RoundsPage(page);
  await rounds.open();
  await rounds.openRound("clean");
  const round = page.url();
  for (const tab of ["", "/diff", "/start"]) expect((await page.goto(round + tab))?.status()).toBe(200);
});
