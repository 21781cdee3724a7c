import { expect, test } from "@playwright/test";
import { FaultsPage } from "./pages/faults-page.ts";
import { giveFiles } from "./pages/give-files.ts";
import { RoundPage } from "./pages/round-page.ts";
import { scenarioFile } from "./scenario-files.ts";
import { expectSound, inEveryLook } from "./sound-page.ts";

test("every fault on the scenario: who catches it, what survives, and a diff for each", async ({ page }) => {
  test.setTimeout(240_000);
  const lab = new FaultsPage(page);
  await lab.open();
  await lab.chooseRound("clean");
  await lab.run();

  await expect(lab.signal("queue-forever", "health")).toHaveAttribute("data-claim", "unwell");
  await expect(lab.signal("queue-forever", "report")).toHaveAttribute("data-lies", "true");
  for (const liar of ["report", "exit", "health"])
    await expect(lab.signal("false-green", liar)).toHaveAttribute("data-lies", "true");
  for (const honest of ["probe", "acceptance"])
    await expect(lab.signal("false-green", honest)).toHaveAttribute("data-claim", "unwell");
  await expect(lab.survivor("global-reserve-pool")).toContainText("Confirmed by the reference");

  // Found again after a reload.
  await page.reload();
  await expect(lab.row("queue-forever")).toBeVisible();

  await lab.row("float-arithmetic").getByRole("button", { name: "Open the diff" }).click();
  await page.waitForURL(/\/rounds\/[0-9a-z]{20,}\/diff$/);
  await expect(page.getByRole("row").filter({ hasText: "wait_ms" }).filter({ hasText: "551" })).toContainText(
    "550",
  );
  // The round was made once: from now on the lab leads to it by a link.
  await page.goBack();
  await page.reload();
  await expect(lab.row("float-arithmetic").getByRole("link", { name: "Open the diff" })).toBeVisible();
});

test("the smallest stream for a survivor is downloaded, and is red as a round", async ({ page }) => {
  test.setTimeout(240_000);
  const lab = new FaultsPage(page);
  await lab.open("?preset=problem-state");
  await expect(page.getByRole("button", { name: "The problem state" })).toHaveAttribute(
    "aria-pressed",
    "true",
  );
  await page.getByText("An upload", { exact: true }).click();
  await giveFiles(page.getByLabel("Stream file"), {
    name: "one.jsonl",
    mimeType: "application/jsonl",
    buffer: Buffer.from(`${scenarioFile("requests.jsonl").split("\n")[0]}\n`),
  });
  await lab.run();
  await expect(page.getByRole("heading", { name: /faults this stream cannot show/ })).toBeVisible();
  const survivor = lab.survivor("queue-forever");
  await expect(survivor).toContainText("Nothing waits longer than the grace.");
  const download = page.waitForEvent("download");
  await survivor.getByRole("link", { name: "Download" }).click();
  expect((await download).suggestedFilename()).toBe("queue-forever.jsonl");
  await survivor.getByRole("button", { name: "Run as a round" }).click();
  await page.waitForURL(/\/rounds\/[0-9a-z]{20,}$/);
  await expect(new RoundPage(page).signal("health")).toHaveAttribute("data-claim", "unwell");
});

test("a log is recognised, mapped and studied by the stream that is made from it", async ({ page }) => {
  test.setTimeout(240_000);
  const lab = new FaultsPage(page);
  await lab.open("?preset=problem-state");
  await page.getByText("An upload", { exact: true }).click();
  const entry = (second: number) =>
    `192.0.2.1 - - [25/Oct/2026:10:00:0${second} +0000] "GET / HTTP/1.1" 200 1\n`;
  await giveFiles(page.getByLabel("Stream file"), {
    name: "access.log",
    mimeType: "text/plain",
    buffer: Buffer.from(`${entry(1)}junk\n${entry(2)}${entry(3)}`),
  });
  await expect(page.getByText("nginx or Apache, common or combined", { exact: false })).toBeVisible();
  await expect(page.getByRole("table").filter({ hasText: "junk" })).toBeVisible();
  await lab.run();
  await expect(page.getByText(/tried on 3 requests/)).toBeVisible();
  await expect(page.getByText("1 bad line left out.")).toBeVisible();
});

test("a stream that is refused is no study, and says why", async ({ page }) => {
  const lab = new FaultsPage(page);
  await lab.open();
  await page.getByText("An upload", { exact: true }).click();
  await page.getByRole("button", { name: "Try the faults" }).click();
  await expect(page.getByRole("alert").filter({ hasText: "The study was not started" })).toContainText(
    "is missing",
  );
});

inEveryLook("axe finds nothing in the lab", async (page) => {
  await new FaultsPage(page).open();
  await expectSound(page);
  await page.getByRole("region", { name: "List of studies" }).getByRole("link").last().click();
  await expect(page.getByText(/faults? tried on/)).toBeVisible();
  await expectSound(page);
});
