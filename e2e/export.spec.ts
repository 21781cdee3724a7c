import { readFileSync } from "node:fs";
import { expect, type Page, test } from "@playwright/test";
import { parse } from "csv-parse/sync";
import { NewRoundPage } from "./pages/new-round-page.ts";
import { RoundPage } from "./pages/round-page.ts";
import { RoundsPage, scenarioRound } from "./pages/rounds-page.ts";

/** Clicks one of the export links and reads the file that comes. */
async function exported(page: Page, format: "CSV" | "JSON"): Promise<{ name: string; text: string }> {
  const download = page.waitForEvent("download");
  await page
    .getByRole("group", { name: "Export this table" })
    .first()
    .getByRole("link", { name: format })
    .click();
  const file = await download;
  return { name: file.suggestedFilename(), text: readFileSync(await file.path(), "utf8") };
}

test("the diff as it is shown, as CSV and as JSON", async ({ page }) => {
  const rounds = new RoundsPage(page);
  await rounds.open();
  await rounds.openRound("problem state");
  await new RoundPage(page).tab("Diff");
  const csv = await exported(page, "CSV");
  expect(csv.name).toBe(`${scenarioRound("problem state")}.places.csv`);
  const rows = parse(csv.text, { bom: true, columns: true, record_delimiter: "\r\n" }) as {
    path: string;
    result: string;
    reported: string;
    expected: string;
    round: string;
    round_id: string;
  }[];
  expect(rows[0]!.round).toBe(scenarioRound("problem state"));
  // An id that begins with a digit has the apostrophe of a text.
  expect(page.url()).toContain(`/rounds/${rows[0]!.round_id.replace(/^'/, "")}/`);
  expect(rows.find(({ path }) => path === "totals.used")).toMatchObject({ reported: "27", expected: "37" });
  expect(rows.length).toBeGreaterThan(0);
  expect(new Set(rows.map(({ result }) => result))).toEqual(new Set(["mismatch"]));
  const json = JSON.parse((await exported(page, "JSON")).text) as { path: string }[];
  expect(json).toHaveLength(rows.length);
  await page.locator("label").filter({ hasText: /^All$/ }).click();
  await page.waitForURL(/result=all/);
  const all = JSON.parse((await exported(page, "JSON")).text) as unknown[];
  expect(all.length).toBeGreaterThan(rows.length);
});

test("only what the filter shows is exported, in its order", async ({ page }) => {
  const rounds = new RoundsPage(page);
  await rounds.open();
  await rounds.openRound("clean");
  await page.goto(`${page.url()}/dispatch?verdict=rejected&sort=file`);
  const rows = JSON.parse((await exported(page, "JSON")).text) as {
    verdict: string;
    file_position: number;
  }[];
  expect(rows.length).toBeGreaterThan(0);
  expect(rows.every(({ verdict }) => verdict === "rejected")).toBe(true);
  expect(rows.map((row) => row.file_position)).toEqual(
    rows.map((row) => row.file_position).sort((a, b) => a - b),
  );
});

test("a name that a spreadsheet would run is a text in the export", async ({ page }) => {
  const create = new NewRoundPage(page);
  await create.open();
  const line = (req_id: string) =>
    JSON.stringify({ req_id, tenant: "t-alpha", arrival_ms: 1, cost: 1, mode: "soft" });
  await create.chooseStream("formulas.jsonl", `${line("=1+1")}\n${line("0013")}\n${line("__proto__")}\n`);
  await create.run();
  await expect(new RoundPage(page).signal("health")).toBeVisible();
  await page.goto(`${page.url()}/dispatch`);
  const { text } = await exported(page, "CSV");
  const ids = (parse(text, { bom: true, columns: true }) as { req_id: string }[]).map(({ req_id }) => req_id);
  expect(ids).toEqual(["'0013", "'=1+1", "__proto__"]);
});

test("the list of rounds as it is filtered", async ({ page }) => {
  await new RoundsPage(page).open(`?q=${encodeURIComponent(scenarioRound("problem state"))}`);
  const { name, text } = await exported(page, "CSV");
  expect(name).toBe("rounds.csv");
  const rows = parse(text, { bom: true, columns: true }) as Record<string, string>[];
  expect(rows.every((row) => row.name!.includes(scenarioRound("problem state")))).toBe(true);
  expect(rows.findLast((row) => row.name === scenarioRound("problem state"))).toMatchObject({
    state: "done",
    requests: "17",
    false_green: "true",
    health: "well, falsely",
  });
});
