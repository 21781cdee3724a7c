import { expect, test } from "@playwright/test";
import { fillWithRounds } from "../lib/store/many-rounds.ts";
import { longStream, ownName } from "./own-try.ts";
import { NewRoundPage } from "./pages/new-round-page.ts";
import { RoundsPage } from "./pages/rounds-page.ts";
import { scenarioFile } from "./scenario-files.ts";
import { expectNoFindings } from "./sound-page.ts";

const FILLED = 120;

/** What the names begin with of the rounds that a process of the tests fills in. */
let night = "";

// Where a story fails, the rest is told by another process: it has rounds of its own, whatever was done to the first ones.
test.beforeAll(async ({ request }, { workerIndex }) => {
  night = `Night.${workerIndex}.`;
  // The server has made its tables once it answers.
  await request.get("/rounds");
  fillWithRounds(process.env.THROTTLE_E2E_DATA!, FILLED, night);
});

test("any round is found by search, filters, sort and page, and the URL alone brings it back", async ({
  page,
}) => {
  const rounds = new RoundsPage(page);
  await rounds.open();
  await rounds.search({ "Name or stream": night });
  await expect(page.getByText(`1–50 of ${FILLED} rounds`)).toBeVisible();
  await page.getByRole("button", { name: "Requests" }).click();
  await expect(page).toHaveURL(/sort=requests/);
  // The URL changes before the rows do, and a click means the other direction only of what is shown.
  await expect(page.getByRole("columnheader", { name: "Requests" })).toHaveAttribute(
    "aria-sort",
    "descending",
  );
  await page.getByRole("button", { name: "Requests" }).click();
  await expect(page).toHaveURL(/dir=asc/);
  await expect(rounds.rows.first()).toContainText(`${night} 000000`);
  await page.getByLabel("next page").click();
  await expect(page.getByText(`51–100 of ${FILLED} rounds`)).toBeVisible();
  const url = page.url();
  const first = await rounds.rows.first().textContent();
  await page.goto("about:blank");
  await page.goto(url);
  await expect(page.getByLabel("Name or stream")).toHaveValue(night);
  expect(await rounds.rows.first().textContent()).toBe(first);
  await page.getByRole("button", { name: "Clear filters" }).click();
  await expect(page).not.toHaveURL(/q=|page=/);
  await expect(page.getByLabel("Name or stream")).toHaveValue("");
});

test("status, false green, tenant, stream and period narrow it down, alone and together", async ({
  page,
}) => {
  const rounds = new RoundsPage(page);
  const found = page.getByText(/\d+ rounds?$/).first();
  await rounds.open(`?q=${night}`);
  await page.getByLabel("Status", { exact: true }).selectOption("Refused");
  await expect(found).toHaveText("12 rounds");
  await expect(rounds.rows.first()).toContainText("refused");
  await rounds.open(`?q=${night}`);
  await page.getByRole("button", { name: "Only false greens" }).click();
  await expect(found).toHaveText("12 rounds");
  for (const row of await rounds.rows.all()) await expect(row).toContainText("False green");
  await rounds.search({ Tenant: "tenant-32" });
  await expect(page).toHaveURL(/tenant=tenant-32/);
  await expect(found).toHaveText(/^[123] rounds?$/);
  await rounds.open(`?q=${night}`);
  await rounds.rows
    .first()
    .getByRole("link", { name: /SHA-256/ })
    .click();
  await expect(page).toHaveURL(/stream=[0-9a-f]{64}/);
  await expect(found).toHaveText("1 round");
  await rounds.open(`?q=${night}`);
  await rounds.search({ "From (UTC)": "2026-10-24", "To (UTC)": "2026-10-24" });
  await expect(found).toHaveText("24 rounds");
  await page.getByLabel("Time zone of this screen").selectOption("Asia/Tokyo");
  await rounds.open(`?q=${night}`);
  await rounds.search({ "From (Asia/Tokyo)": "2026-10-25" });
  await expect(page).toHaveURL(/zone=Asia%2FTokyo/);
  await expect(found).toHaveText("20 rounds");
  await rounds.search({ "Name or stream": "no such night" });
  await expect(page.getByText("No round matches")).toBeVisible();
  await expectNoFindings(page);
  await page.getByRole("link", { name: "Show all rounds" }).click();
  await expect(rounds.rows.first()).toBeVisible();
});

test("chosen rounds are removed at once and put back by undo, also after a reload", async ({ page }) => {
  const rounds = new RoundsPage(page);
  await rounds.open(`?q=${night}&status=refused`);
  const names = await rounds.rows
    .locator("a")
    .evaluateAll((links) => links.map((link) => link.textContent ?? ""));
  const [first, second] = [names[0]!, names[2]!];
  await rounds.choose(first);
  await rounds.choose(second);
  await expect(page.getByText("2 rounds chosen")).toBeVisible();
  await expectNoFindings(page);
  await rounds.remove();
  await expect(rounds.notice).toContainText("2 rounds removed");
  await expect(rounds.row(first)).toHaveCount(0);
  await page.reload();
  await expect(rounds.notice).toContainText("2 rounds removed");
  await expectNoFindings(page);
  await rounds.undo();
  await expect(rounds.row(first)).toHaveCount(1);
  await expect(page.getByText("12 rounds").first()).toBeVisible();
});

test("what was removed is listed as such, and can be put back one by one", async ({ page }) => {
  const rounds = new RoundsPage(page);
  await rounds.open(`?q=${night}&status=failed`);
  const name = (await rounds.rows.first().locator("a").first().textContent())!;
  await rounds.choose(name);
  await rounds.remove();
  await rounds.notice.getByRole("button", { name: "Close this notice" }).click();
  await page.getByLabel("Status", { exact: true }).selectOption("Removed");
  await expect(rounds.row(name)).toHaveCount(1);
  await rounds.choose(name);
  await page.getByRole("button", { name: "Put back" }).click();
  await expect(page.getByText("No round matches")).toBeVisible();
  await rounds.open(`?q=${night}&status=failed`);
  await expect(rounds.row(name)).toHaveCount(1);
});

test("a round that runs updates by itself, and one that is removed while it runs runs again when put back", async ({
  page,
}) => {
  test.setTimeout(400_000);
  const name = ownName("runs-long.jsonl");
  const form = new NewRoundPage(page);
  await form.open();
  await form.chooseFile(longStream(name));
  await form.run();
  await page.waitForURL(/\/rounds\/[0-9a-z]{20,}$/, { timeout: 90_000 });
  const rounds = new RoundsPage(page);
  await rounds.open(`?q=${name}`);
  await expect(rounds.row(name)).toContainText(/running|waiting/);
  await rounds.choose(name);
  await rounds.remove();
  await expect(page.getByText("No round matches")).toBeVisible();
  await rounds.undo();
  await expect(rounds.row(name)).toContainText(/running|waiting/);
  await expect(rounds.row(name)).toContainText("1 500 000", { timeout: 240_000 });
});

test("a file dropped anywhere on the list is taken to the form of a new round", async ({ page }) => {
  const rounds = new RoundsPage(page);
  await rounds.open();
  await rounds.drop("dropped.jsonl", scenarioFile("requests.jsonl"));
  await page.waitForURL(/\/rounds\/new/);
  await expect(page.getByText("dropped.jsonl")).toBeVisible();
  await page.getByRole("button", { name: "Run the round" }).click();
  await page.waitForURL(/\/rounds\/[0-9a-z]{20,}$/);
  await expect(page.getByText(/17 requests decided; all/)).toBeVisible();
});

test("all that match are removed in one go", async ({ page }) => {
  const rounds = new RoundsPage(page);
  await rounds.open(`?q=${night}`);
  await page.getByLabel("Choose all rounds on this page").check();
  await page.getByRole("button", { name: `Choose all ${FILLED} that match` }).click();
  await expect(page.getByText(`${FILLED} rounds chosen`)).toBeVisible();
  await rounds.remove();
  await expect(rounds.notice).toContainText(`${FILLED} rounds removed`);
  await expect(page.getByText("No round matches")).toBeVisible();
});
