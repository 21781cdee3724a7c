import { gzipSync } from "node:zlib";
import AxeBuilder from "@axe-core/playwright";
import { expect, test } from "@playwright/test";
import { NewRoundPage } from "./pages/new-round-page.ts";
import { RoundPage } from "./pages/round-page.ts";

/** A line of an access log of the night before the change to winter time, so many ms after 00:30 UTC. */
const entry = (seconds: number, address: string) => {
  const at = new Date(Date.UTC(2026, 9, 25, 0, 30) + 1000 * seconds).toISOString();
  return `${address} - - [25/Oct/2026:${at.slice(11, 19)} +0000] "GET / HTTP/1.1" 200 512 "-" "curl/8.0"\n`;
};
const LOG = [0, 1, 2, 7200, 7201].map((seconds) => entry(seconds, "192.0.2.1")).join("");
/** A log longer than any round. */
const TOO_LONG = LOG + entry(500 * 86_400, "192.0.2.1").replace("Oct/2026", "Oct/2029");
const isRound = /\/rounds\/[0-9a-z]{20,}$/;

test("a request of a log is found by the clock of the log, on every page that tells when it came", async ({
  page,
}) => {
  const form = new NewRoundPage(page);
  await form.open();
  await form.chooseStream("night.log", LOG);
  await page.getByRole("button", { name: "Propose such limits from the stream" }).click();
  await expect(page.getByText("These limits would have refused 0 of 5 requests")).toBeVisible();
  await form.run();
  await page.waitForURL(isRound);
  await expect(page.getByText("the log begins 2026-10-25 00:30:00 UTC")).toBeVisible();
  await new RoundPage(page).tab("Dispatch");
  const table = page.getByRole("table", { name: "Decisions" });
  await expect(table.getByText("2026-10-25 02:30:01.000")).toBeVisible();
  await table.getByRole("button", { name: "Open" }).last().click();
  const panel = page.getByRole("region", { name: "The opened decision" });
  await expect(panel).toContainText("(2026-10-25 02:30:01.000 UTC)");
  await expect(panel.getByRole("region", { name: "Derivations" })).toContainText(
    "2026-10-25 02:30:01.000 UTC",
  );
  // The hour that the change to winter time repeats is told apart.
  await page.getByLabel("Time zone of this screen").selectOption("Europe/Berlin");
  await expect(table.getByText("2026-10-25 02:30:01.000 UTC+02:00")).toBeVisible();
  await expect(table.getByText("2026-10-25 03:30:01.000 UTC+01:00")).toBeVisible();
  await page.getByLabel("Time zone of this screen").selectOption("UTC");
  expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([]);
});

test("behind a link with masked names no moment of the log is told", async ({ page, context }) => {
  const form = new NewRoundPage(page);
  await form.open();
  await form.chooseStream("masked.log", LOG);
  await form.run();
  await page.waitForURL(isRound);
  const link = await new RoundPage(page).share("No stream, and names masked");
  const guest = await context.newPage();
  await guest.goto(`${link}/dispatch`);
  await expect(guest.getByRole("table", { name: "Decisions" })).toContainText("7 200 000 ms");
  await expect(guest.getByText("2026-10-25 0")).toHaveCount(0);
});

test("what was refused, decided nothing, or met no limit says so in the list, on a telephone too", async ({
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  const form = new NewRoundPage(page);
  for (const [name, content] of [
    ["too-long.log", TOO_LONG],
    ["nothing.log", ""],
    ["nobody.log", LOG],
  ] as const) {
    await form.open();
    await form.chooseStream(name, content);
    await form.run();
    await page.waitForURL(isRound);
    await expect(page.getByText(/nothing was decided|decided; all/).first()).toBeVisible();
    if (name === "nothing.log") await expect(page.getByTestId("nothing-decided")).toBeVisible();
  }
  await page.goto("/rounds");
  // Where one has come down to a round's name nothing needs to be moved sideways.
  const told = async (name: string, words: RegExp) => {
    const link = page.getByRole("link", { name, exact: true });
    await link.scrollIntoViewIfNeeded();
    const row = page.getByRole("row").filter({ has: link });
    await expect(row.getByText(words).first()).toBeInViewport();
  };
  await told("too-long.log", /^refused: Stream refused/);
  await told("nothing.log", /^no request was decided$/);
  await told("nobody.log", /^all rejected as unknown_tenant$/);
  expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([]);
});

test("a packed log is shown as its lines, and a bundle is sent to the audit", async ({ page }) => {
  const form = new NewRoundPage(page);
  await form.open();
  await form.chooseStream("night.log.gz", gzipSync(LOG));
  await expect(page.getByRole("region", { name: "First lines of the stream" })).toContainText(
    '192.0.2.1 - - [25/Oct/2026:00:30:00 +0000] "GET /',
  );
  await form.chooseStream("round.bundle.zip", Buffer.from("504b03041400000000000000", "hex"));
  await expect(page.getByText("An archive of several files, not a stream")).toBeVisible();
  await expect(page.getByRole("region", { name: "First lines of the stream" })).toHaveCount(0);
  expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([]);
  await page.getByRole("main").getByRole("link", { name: "audit" }).click();
  await page.waitForURL(/\/audit$/);
});

test("after a round that was not started the focus is where it was", async ({ page }) => {
  const form = new NewRoundPage(page);
  await form.open();
  const run = page.getByRole("button", { name: "Run the round" });
  await expect(run).toBeEnabled();
  await run.focus();
  await page.keyboard.press("Enter");
  await expect(form.problems).toBeVisible();
  await expect(run).toBeFocused();
});

test("without scripts a page says that it is not drawn, in place of staying grey", async ({ browser }) => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto("/rounds");
  // Texts of such a place are none to a search by text.
  await expect(page.locator(".no-script")).toBeVisible();
  await context.close();
});
