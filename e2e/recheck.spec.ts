import { join } from "node:path";
import { expect, test } from "@playwright/test";
import Database from "better-sqlite3";
import { unzipSync } from "fflate";
import { roundSeal } from "../lib/store/row-seal.ts";
import { bundleAt, withEntry, withoutStream } from "./bundle-files.ts";
import { RecheckPanel } from "./pages/recheck-panel.ts";
import { RoundPage } from "./pages/round-page.ts";
import { RoundsPage } from "./pages/rounds-page.ts";

async function openRound(page: RoundsPage["page"], name: string): Promise<string> {
  const rounds = new RoundsPage(page);
  await rounds.open();
  await rounds.openRound(name);
  return new URL(page.url()).pathname.split("/").at(-1)!;
}

test("the clean round is recomputed in the visitor's browser, and every field agrees", async ({ page }) => {
  await openRound(page, "clean");
  const recheck = new RecheckPanel(page);
  await recheck.run();
  await expect(recheck.verdict).toHaveText(/17 requests recomputed here: all \d+ checks agree\.$/);
  await expect(recheck.disagreement).toHaveCount(0);
  await expect(recheck.panel).toContainText("All 4 files have the SHA-256 that the bundle names");
  await new RoundPage(page).tab("Buckets");
  await expect(recheck.verdict, "what was found stays while one looks at other views").toBeVisible();
});

test("the problem state, shared, shows its false green, and the recheck names the same differences as health", async ({
  page,
  browser,
}) => {
  const id = await openRound(page, "problem state");
  const link = await new RoundPage(page).share();
  const { rows } = (await (await page.request.get(`/api/rounds/${id}/places?limit=500`)).json()) as {
    rows: { path: string; reported: string | null; expected: string | null }[];
  };
  const context = await browser.newContext();
  const visitor = await context.newPage();
  await visitor.goto(link);
  await expect(new RoundPage(visitor).falseGreen).toBeVisible();
  const recheck = new RecheckPanel(visitor);
  await recheck.run();
  await expect(recheck.verdict).toContainText(`${rows.length} differences`);
  await expect(recheck.disagreement).toContainText("The server's health says well (0 checks, 0 differences)");
  await expect(recheck.disagreement).not.toContainText("recomputation");
  expect((await recheck.differences()).sort()).toEqual(
    rows.map(({ path, reported, expected }) => [path, reported ?? "nothing", expected ?? "nothing"]).sort(),
  );
  await recheck.panel.getByRole("link", { name: "totals.used" }).click();
  await expect(visitor.locator("[data-marked]")).toContainText("totals.used");
  await context.close();
});

test("a stored result that lies is exposed, by the rows beside it and by the recheck", async ({ page }) => {
  const id = await openRound(page, "problem state");
  const liar = `${id}0`;
  const database = new Database(join(process.env.THROTTLE_E2E_DATA!, "tenantthrottle.sqlite"));
  try {
    const row = database.prepare("SELECT * FROM round WHERE id = ?").get(id) as Record<string, unknown>;
    const summary = JSON.parse(row.summary as string);
    const clean = { status: 0, checks: 227, mismatches: 0, indeterminate: 0 };
    const signals = summary.board.signals.map((signal: object) => ({
      ...signal,
      claim: "well",
      lies: false,
      grounded: true,
    }));
    Object.assign(summary, {
      health: clean,
      truth: clean,
      board: { signals, true_mismatches: 0, false_green: false, disagree: false },
    });
    const lying = {
      ...row,
      id: liar,
      name: "lying server",
      false_green: 0,
      summary: JSON.stringify(summary),
    };
    // Whoever can write the row can write its digest as well.
    const sealed = { ...lying, seal: roundSeal(lying as never) };
    const names = Object.keys(sealed);
    database
      .prepare(
        `INSERT OR REPLACE INTO round (${names.join(", ")}) VALUES (${names.map((name) => `@${name}`).join(", ")})`,
      )
      .run(sealed);
    await page.goto(`/rounds/${liar}`);
    const round = new RoundPage(page);
    await expect(round.falseGreen).toHaveCount(0);
    await expect(round.signal("health")).toHaveAttribute("data-claim", "unknown");
    const alert = page.getByTestId("seal-broken");
    await expect(alert).toContainText("The stored verdict and the stored rows tell of different rounds");
    await expect(alert).toContainText("227 checks with 0 mismatched");
    await expect(alert).toContainText(/[1-9]\d* that differ/);
    const recheck = new RecheckPanel(page);
    await recheck.run();
    await expect(recheck.verdict).toContainText("differences");
  } finally {
    database.prepare("DELETE FROM round WHERE id = ?").run(liar);
    database.close();
  }
});

test("a report changed in one digit in transit is exposed", async ({ page }) => {
  const id = await openRound(page, "clean");
  const changed = withEntry(await bundleAt(page.request, `/api/rounds/${id}/bundle`), "report.json", (text) =>
    text.replace(/("wait_ms":\s*)550/, "$1551"),
  );
  await page.route(`**/api/rounds/${id}/bundle`, (route) =>
    route.fulfill({ body: changed, contentType: "application/zip" }),
  );
  const recheck = new RecheckPanel(page);
  await recheck.run();
  await expect(recheck.disagreement).toContainText("The server's health says well");
  await expect(recheck.panel.getByRole("list", { name: "Files that were changed" })).toContainText(
    "The report was changed after the bundle was made",
  );
  const paths = (await recheck.differences()).filter(([, reported]) => reported === "551");
  expect(paths).toEqual([[expect.stringMatching(/^decisions\[\d+\]\.wait_ms$/), "551", "550"]]);
});

test("a bundle without its stream cannot be judged, and one that is cut off says so", async ({ page }) => {
  const id = await openRound(page, "clean");
  const whole = await bundleAt(page.request, `/api/rounds/${id}/bundle`);
  let body = withoutStream(whole);
  await page.route(`**/api/rounds/${id}/bundle`, (route) =>
    route.fulfill({ body, contentType: "application/zip" }),
  );
  const recheck = new RecheckPanel(page);
  await recheck.run();
  await expect(recheck.unjudged).toContainText("Cannot be judged here");
  await expect(recheck.unjudged).toContainText("the stream is not in this bundle");
  body = whole.subarray(0, whole.length - 100);
  await page.reload();
  await recheck.run();
  await expect(recheck.unjudged).toContainText("cut off");
});

test("a loaded page rechecks without a network, once it has the bundle", async ({ page, context }) => {
  await openRound(page, "clean");
  const recheck = new RecheckPanel(page);
  await recheck.run();
  await recheck.ready();
  await context.setOffline(true);
  await recheck.run();
  await expect(recheck.verdict).toContainText("agree");
  await recheck.run();
  await expect(recheck.verdict).toContainText("agree");
});

test("a server that does not answer is a recheck that was not made", async ({ page }) => {
  const id = await openRound(page, "clean");
  await page.route(`**/api/rounds/${id}/bundle`, (route) => route.fulfill({ status: 500, body: "" }));
  const recheck = new RecheckPanel(page);
  await recheck.start();
  await expect(recheck.panel).toContainText("nothing was judged here");
  await expect(recheck.verdict).toHaveCount(0);
});

test("a link that was revoked gives no bundle away", async ({ page }) => {
  await openRound(page, "clean");
  const round = new RoundPage(page);
  const link = await round.share();
  const path = `/api${new URL(link).pathname}/bundle`;
  expect((await page.request.get(path)).status()).toBe(200);
  await round.revoke(link);
  expect((await page.request.get(path)).status()).toBe(404);
});

for (const [shows, why] of [
  ["Everything but the stream", "keeps the stream back"],
  ["No stream, and names masked", "masks names"],
] as const)
  test(`a link that shows ${shows.toLowerCase()} says that nothing can be judged there`, async ({ page }) => {
    await openRound(page, "clean");
    await page.getByRole("button", { name: "Share" }).click();
    await page.getByLabel("It shows").selectOption({ label: shows });
    await page.getByRole("button", { name: "Create a link" }).click();
    await page.goto(await page.getByTestId("share-link").inputValue());
    const panel = new RecheckPanel(page).panel;
    await expect(panel).toContainText("Cannot be judged here");
    await expect(panel).toContainText(why);
    await expect(panel.getByRole("button")).toHaveCount(0);
    const answer = await page.request.get(`/api${new URL(page.url()).pathname}/bundle`);
    if (why.includes("names")) expect(answer.status()).toBe(404);
    else expect(Object.keys(unzipSync(await answer.body()))).not.toContain("stream.jsonl");
  });
