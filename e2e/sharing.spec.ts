import { type Browser, expect, type Page, test } from "@playwright/test";
import { NewRoundPage } from "./pages/new-round-page.ts";
import { RoundPage } from "./pages/round-page.ts";
import { RoundsPage } from "./pages/rounds-page.ts";
import { scenarioFile } from "./scenario-files.ts";
import { expectNoFindings } from "./sound-page.ts";

const SECRET = "acme";

const visit = async (browser: Browser, link: string): Promise<Page> => {
  const page = await (await browser.newContext()).newPage();
  await page.goto(link);
  return page;
};

/** A round whose tenants, requests, files and name all hold the secret. */
async function secretRound(page: Page): Promise<RoundPage> {
  const form = new NewRoundPage(page);
  await form.open();
  await form.policy.upload(`${SECRET}.json`, scenarioFile("policy.json").replaceAll("t-", `${SECRET}-`));
  await form.policy.expectSound();
  const stream = scenarioFile("requests.jsonl")
    .replaceAll("t-", `${SECRET}-`)
    .replaceAll("req-", `${SECRET}.`);
  await form.chooseStream(`${SECRET}.jsonl`, stream);
  await page.getByRole("button", { name: /Inject known faults/ }).click();
  await page.getByRole("checkbox", { name: /Binary floats/ }).check();
  await form.run();
  await page.waitForURL(/\/rounds\/[0-9a-z]{20,}$/);
  const round = new RoundPage(page);
  await expect(round.signal("health")).toHaveAttribute("data-claim", "unwell");
  return round;
}

test("a masked link names nobody on any page, in any answer, in any export", async ({ page, browser }) => {
  test.setTimeout(180_000);
  const round = await secretRound(page);
  const link = await round.share("No stream, and names masked");
  await expectNoFindings(page);
  const visitor = await visit(browser, link);
  await expect(visitor.getByRole("heading", { level: 1 })).toHaveText("A round with masked names");
  const api = link.replace("/share/", "/api/share/");
  const pages = ["", "/buckets", "/dispatch", "/breaches", "/diff", "/checks", "/inputs"].map(
    (tab) => link + tab,
  );
  const answers = [
    "decisions",
    "places?result=all",
    "export/tenants?format=csv",
    "export/decisions?format=json",
    "export/places?format=csv&result=all",
  ].map((part) => `${api}/${part}`);
  for (const url of [...pages, ...answers]) {
    const answer = await visitor.request.get(url);
    expect(answer.status(), url).toBe(200);
    expect(answer.headers()["x-robots-tag"], url).toBe("noindex, nofollow");
    expect((await answer.text()).toLowerCase(), url).not.toContain(SECRET);
  }
  for (const file of ["file/stream", "file/policy", "file/report", "bundle"])
    expect((await visitor.request.get(`${api}/${file}`)).status(), file).toBeGreaterThanOrEqual(400);
  await visitor.goto(`${link}/dispatch`);
  await expect(visitor.getByText(/^req-[0-9a-f]+/).first()).toBeVisible();
});

test("a link without the stream shows the same pages, and gives all but it", async ({ page, browser }) => {
  const rounds = new RoundsPage(page);
  await rounds.open();
  await rounds.openRound("problem state");
  const link = await new RoundPage(page).share("Everything but the stream");
  const visitor = await visit(browser, `${link}/inputs`);
  await expect(visitor.getByText("This link does not give the stream itself.")).toBeVisible();
  await expect(visitor.getByRole("link", { name: "Download policy" })).toBeVisible();
  const api = link.replace("/share/", "/api/share/");
  expect((await visitor.request.get(`${api}/file/stream`)).status()).toBe(404);
  expect((await visitor.request.get(`${api}/file/report`)).status()).toBe(200);
});

test("links are listed with what they show, until when, and when they were opened last", async ({
  page,
  browser,
}) => {
  const rounds = new RoundsPage(page);
  await rounds.open();
  await rounds.openRound("clean");
  const round = new RoundPage(page);
  await page.getByRole("button", { name: "Share", exact: true }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("The link lives for").selectOption("A day");
  await dialog.getByRole("button", { name: "Create a link" }).click();
  const link = await page.getByTestId("share-link").inputValue();
  const row = dialog.getByRole("row").filter({ hasText: "all" }).first();
  await expect(row).toContainText("never");
  await expect(row).toContainText(/until \d{4}-\d{2}-\d{2}/);
  await visit(browser, link);
  await page.reload();
  await page.getByRole("button", { name: "Share", exact: true }).click();
  await expect(dialog.getByRole("row").filter({ hasText: "all" }).first()).toContainText(/1×, last/);
  await expect(round.signal("health")).toHaveAttribute("data-claim", "well");
});

test("a link's preview has a title, the figures and a picture, and no search engine keeps it", async ({
  page,
  browser,
}) => {
  const rounds = new RoundsPage(page);
  await rounds.open();
  await rounds.openRound("problem state");
  const link = await new RoundPage(page).share();
  const visitor = await visit(browser, link);
  const meta = (property: string) => visitor.locator(`meta[property="${property}"]`).getAttribute("content");
  expect(await meta("og:title")).toMatch(
    /^False green: \d+ differences · Scenario 2026-10-25-1000, problem state$/,
  );
  expect(await meta("og:description")).toMatch(
    /Report, exit and health say well; .* 17 requests: 7 accepted/,
  );
  await expect(visitor.locator('meta[name="robots"]')).toHaveAttribute("content", /noindex/);
  const picture = (await meta("og:image"))!;
  expect(picture.startsWith(`${link}/opengraph-image`)).toBe(true);
  const answer = await visitor.request.get(picture);
  expect(answer.status()).toBe(200);
  expect(answer.headers()["content-type"]).toBe("image/png");
  expect(answer.headers()["cache-control"]).toBe("private, no-store");
  expect([...(await answer.body()).subarray(1, 4)]).toEqual([..."PNG"].map((letter) => letter.charCodeAt(0)));
  await new RoundPage(page).revoke(link);
  expect((await visitor.request.get(picture)).status()).toBe(404);
});

test("a picture is drawn of any name, and asks no other server", async ({ page, browser }) => {
  const form = new NewRoundPage(page);
  await form.open();
  await form.chooseStream("🟥\u202e日本語 ‮=1+1 __proto__.jsonl", scenarioFile("requests.jsonl"));
  await form.run();
  await page.waitForURL(/\/rounds\/[0-9a-z]{20,}$/);
  const link = await new RoundPage(page).share();
  const visitor = await visit(browser, link);
  expect((await visitor.request.get(`${link}/opengraph-image`)).status()).toBe(200);
  await expect(visitor).toHaveTitle(/⟨U\+202E⟩/);
});

test("on paper a round is its report alone, dark on white", async ({ browser }) => {
  const context = await browser.newContext({ colorScheme: "dark" });
  const page = await context.newPage();
  const rounds = new RoundsPage(page);
  await rounds.open();
  await rounds.openRound("problem state");
  await page.emulateMedia({ media: "print", colorScheme: "dark" });
  await expect(page.getByRole("banner")).toBeHidden();
  await expect(page.getByRole("navigation", { name: "Views of this round" })).toBeHidden();
  await expect(page.getByRole("button", { name: "Share" })).toBeHidden();
  await expect(new RoundPage(page).falseGreen).toBeVisible();
  await expect(page.getByRole("table").first()).toBeVisible();
  expect(await page.evaluate(() => getComputedStyle(document.body).backgroundColor)).toBe(
    "rgb(255, 255, 255)",
  );
  expect((await page.pdf()).length).toBeGreaterThan(10_000);
});
