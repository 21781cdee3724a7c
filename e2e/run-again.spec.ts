import { expect, test } from "@playwright/test";
import { NewRoundPage } from "./pages/new-round-page.ts";
import { scenarioFile } from "./scenario-files.ts";
import { expectNoFindings } from "./sound-page.ts";

const ROUND = /\/rounds\/[0-9a-z]{20,}$/;
const again = "Run again with these inputs";

test("a round that was refused is run again leniently, without another upload", async ({ page }) => {
  const form = new NewRoundPage(page);
  await form.open();
  await form.chooseStream("refused.jsonl", `${scenarioFile("requests.jsonl").trimEnd()}\n{"req_id": 5}\n`);
  await form.run();
  await expect(page.getByText("This round was refused: nothing was decided")).toBeVisible();
  const refused = page.url();
  await expectNoFindings(page);
  let uploads = 0;
  page.on("request", (request) => {
    if (request.url().includes("/api/uploads")) uploads += 1;
  });
  await page.getByRole("link", { name: again }).click();
  await page.waitForURL(/\/rounds\/new\?from=/);
  await expect(page.getByText(/refused\.jsonl.*, uploaded/)).toBeVisible();
  await expect(page.getByText("A canonical stream: it needs no mapping.")).toBeVisible();
  await page.getByRole("radio", { name: /Lenient/ }).check();
  await expectNoFindings(page);
  // What was changed stays changed.
  await page.reload();
  await expect(page.getByRole("radio", { name: /Lenient/ })).toBeChecked();
  await expect(page.getByText(/refused\.jsonl.*, uploaded/)).toBeVisible();
  await form.run();
  await page.waitForURL(ROUND);
  await expect(page.getByText(/17 requests decided, 1 line skipped/)).toBeVisible();
  expect(uploads).toBe(0);
  await page.goto(refused);
  await expect(page.getByText("This round was refused: nothing was decided")).toBeVisible();
});

test("a log that was refused is read again by the mapping that was stated", async ({ page }) => {
  const line = (second: number, path: string) =>
    `192.0.2.1 - - [25/Oct/2026:10:00:0${second} +0000] "GET ${path} HTTP/1.1" 200 5\n`;
  const form = new NewRoundPage(page);
  await form.open();
  await form.chooseStream("refused.log", `${line(0, "/api/one")}${line(1, "/api/two")}what is this\n`);
  await page.getByLabel("The tenant is").selectOption({ label: "a segment of the path" });
  await page.getByRole("combobox", { name: "Tenant's field" }).fill("path");
  await page.getByLabel("Segment, from 1").fill("2");
  await form.run();
  await expect(page.getByText("This round was refused: nothing was decided")).toBeVisible();
  await page.getByRole("link", { name: again }).click();
  await expect(page.getByLabel("Segment, from 1")).toHaveValue("2");
  const preview = page.getByRole("region", { name: "First rows under this mapping" });
  await expect(preview.getByRole("row").nth(2)).toContainText("two");
  await page.getByRole("radio", { name: /Lenient/ }).check();
  await form.run();
  await page.waitForURL(ROUND);
  await expect(page.getByText(/2 requests decided, 1 line skipped/)).toBeVisible();
});

test("the inputs of a round that is not there are not invented", async ({ page }) => {
  await page.goto("/rounds/new?from=nothing");
  await expect(page.getByRole("alert").filter({ hasText: "There is no such round" })).toBeVisible();
});
