import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, type Page, test } from "@playwright/test";
import Database from "better-sqlite3";
import { NewRoundPage } from "./pages/new-round-page.ts";
import { RoundPage } from "./pages/round-page.ts";
import { scenarioFile } from "./scenario-files.ts";
import { expectNoFindings } from "./sound-page.ts";

const TABS = ["", "/buckets", "/dispatch", "/breaches", "/diff", "/checks", "/inputs"];
const GREEN = "rgb(27, 110, 74)";

const artifact = (sha256: string): string =>
  join(process.env.THROTTLE_E2E_DATA!, "artifacts", sha256.slice(0, 2), sha256);

/** A round of its own stream: other stories do not rest on its files. */
async function ownRound(page: Page, name: string): Promise<string> {
  const form = new NewRoundPage(page);
  await form.open();
  await form.chooseStream(`${name}.jsonl`, scenarioFile("requests.jsonl").replaceAll("req-", `${name}-`));
  await form.run();
  await page.waitForURL(/\/rounds\/[0-9a-z]{20,}$/);
  await expect(new RoundPage(page).signal("report")).toHaveAttribute("data-claim", "well");
  return page.url();
}

/** Digest of the file of a round's decisions. */
function decisionsOf(url: string): string {
  const database = new Database(join(process.env.THROTTLE_E2E_DATA!, "tenantthrottle.sqlite"), {
    readonly: true,
  });
  const { view } = database.prepare("SELECT view FROM round WHERE id = ?").get(url.split("/").at(-1)) as {
    view: string;
  };
  database.close();
  return (JSON.parse(view) as { decisions: string }).decisions;
}

async function digestOf(page: Page, url: string, card: string): Promise<string> {
  await page.goto(`${url}/inputs`);
  const section = page.locator("section", { has: page.getByRole("heading", { name: card }) });
  const text = await section.getByText(/^SHA-256 [0-9a-f]{64}$/).textContent();
  return text!.replace("SHA-256 ", "");
}

test("a report that was changed on the disk is told on every page, and nothing is green or given away", async ({
  page,
}) => {
  test.setTimeout(300_000);
  const url = await ownRound(page, "tampered");
  const report = await digestOf(page, url, "Report");
  const text = await readFile(artifact(report), "utf8");
  await writeFile(artifact(report), text.replace('"used":37', '"used":36'));
  for (const tab of TABS) {
    await page.goto(url + tab);
    const alert = page.getByTestId("seal-broken");
    await expect(alert).toContainText("The stored report is not the one that was judged: its SHA-256 is");
    await expect(alert).toContainText(report);
    for (const signal of ["report", "exit", "health", "probe", "acceptance"])
      await expect(new RoundPage(page).signal(signal)).toHaveAttribute("data-claim", "unknown");
    await expect(page.locator("[data-signal] svg").first()).not.toHaveCSS("color", GREEN);
    await expect(page.getByText(/every one matched|all \d+ checks .* match/)).toHaveCount(0);
  }
  await expectNoFindings(page);
  const api = url.replace("/rounds/", "/api/rounds/");
  for (const path of ["file/report", "bundle", "export/checks?format=csv"]) {
    const answer = await page.request.get(`${api}/${path}`);
    expect(answer.status(), path).toBe(409);
    expect((await answer.json()).error, path).toContain("not the one that was judged");
  }
  await page.goto(url);
  await page.getByRole("button", { name: "Recheck here" }).click();
  await expect(page.getByRole("region", { name: "Recheck here" })).toContainText(
    "not the one that was judged",
  );
  const link = await new RoundPage(page).share();
  await page.goto(link);
  await expect(page.getByTestId("seal-broken")).toBeVisible();
  expect(await page.locator('meta[property="og:title"]').getAttribute("content")).toContain(
    "Not what was judged",
  );
  await writeFile(artifact(report), text);
  await page.goto(url);
  await expect(new RoundPage(page).signal("report")).toHaveAttribute("data-claim", "well");
});

test("rows that are lost are told and made again while the page waits", async ({ page }) => {
  const url = await ownRound(page, "lost");
  await rm(artifact(decisionsOf(url)));
  await page.goto(`${url}/dispatch`);
  // The page reads itself again until they are there.
  await expect(page.getByText("lost-0001", { exact: true }).first()).toBeVisible();
  await expect(page.getByTestId("seal-broken")).toHaveCount(0);
  await expect(new RoundPage(page).signal("health")).toHaveAttribute("data-claim", "well");
});

test("any page of a link opens it, and the others of the visit do not open it again", async ({
  page,
  browser,
}) => {
  const url = await ownRound(page, "opened");
  const link = await new RoundPage(page).share();
  const visitor = await (await browser.newContext()).newPage();
  for (const tab of ["/diff", "/diff", "", "/inputs"]) await visitor.goto(link + tab);
  await new RoundPage(visitor).tab("Checks");
  await visitor.request.get(`${link}/opengraph-image`);
  const openings = async () => {
    await page.goto(url);
    await page.getByRole("button", { name: "Share", exact: true }).click();
    return page
      .getByRole("dialog")
      .getByRole("row")
      .filter({ hasText: `…${link.slice(-4)}` });
  };
  await expect(await openings()).toContainText("1×, last");
  await (await (await browser.newContext()).newPage()).goto(`${link}/checks`);
  await expect(await openings()).toContainText("2×, last");
});

test("a verdict that was changed in the database is told on the round's pages, and in the rows behind them", async ({
  page,
}) => {
  const url = await ownRound(page, "rewritten");
  const database = new Database(join(process.env.THROTTLE_E2E_DATA!, "tenantthrottle.sqlite"));
  const id = url.split("/").at(-1);
  const { summary } = database.prepare("SELECT summary FROM round WHERE id = ?").get(id) as {
    summary: string;
  };
  const write = database.prepare("UPDATE round SET summary = ? WHERE id = ?");
  write.run(summary.replace('"ok":true', '"ok":true '), id);
  await page.goto(url);
  await expect(page.getByTestId("seal-broken")).toContainText(
    "The entry of this round in the database is not the one that was written when the round ended: its SHA-256 is",
  );
  await expect(new RoundPage(page).signal("health")).toHaveAttribute("data-claim", "unknown");
  const rows = await page.request.get(`${url.replace("/rounds/", "/api/rounds/")}/places`);
  expect((await rows.json()).not_as_judged[0]).toContain("in the database");
  write.run(summary, id);
  database.close();
  await page.goto(url);
  await expect(new RoundPage(page).signal("health")).toHaveAttribute("data-claim", "well");
});
