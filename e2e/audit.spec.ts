import { expect, type Page, test } from "@playwright/test";
import { bundleAt, withEntry, withoutStream } from "./bundle-files.ts";
import { longStream } from "./own-try.ts";
import { AuditPage } from "./pages/audit-page.ts";
import { RoundPage } from "./pages/round-page.ts";
import { RoundsPage } from "./pages/rounds-page.ts";
import { scenarioFile } from "./scenario-files.ts";
import { expectSound, inEveryLook } from "./sound-page.ts";

const INPUTS = [
  { name: "contract.json", content: scenarioFile("contract.json") },
  { name: "policy.json", content: scenarioFile("policy.json") },
  { name: "requests.jsonl", content: scenarioFile("requests.jsonl") },
];

const LOG = [1, 2]
  .map((second) => `192.0.2.1 - - [25/Oct/2026:10:00:0${second} +0000] "GET / HTTP/1.1" 200 1\n`)
  .join("");

/** Bundle and report of one of the rounds that a new installation has. */
async function roundFiles(page: Page, name: string): Promise<{ bundle: Buffer; report: string }> {
  const rounds = new RoundsPage(page);
  await rounds.open();
  await rounds.openRound(name);
  const path = `/api${new URL(page.url()).pathname}`;
  const report = await (await page.request.get(`${path}/file/report`)).text();
  return { bundle: await bundleAt(page.request, `${path}/bundle`), report };
}

test("a report with its inputs is judged in the browser, and kept as a round with all views", async ({
  page,
}) => {
  const { report } = await roundFiles(page, "problem state");
  const audit = new AuditPage(page);
  await audit.open();
  await audit.drop(...INPUTS, { name: "their report.json", content: report });
  await audit.judge();
  await expect(audit.verdict).toContainText("differences in");
  const differences = /(\d+) differences/.exec((await audit.verdict.textContent())!)![1]!;

  await page.getByLabel("Exit status of what made the report").selectOption("0");
  await audit.keep();
  const round = new RoundPage(page);
  await expect(round.falseGreen).toContainText("Report and exit say well");
  await expect(round.falseGreen).toContainText(`${differences} differences`);
  await expect(page.getByText("Audit: the report was made elsewhere")).toBeVisible();
  await expect(page.getByRole("heading", { level: 1 })).toContainText("their report.json");
  await round.tab("Diff");
  const row = page.getByRole("row").filter({ hasText: "totals.used" });
  await expect(row).toContainText("27");
  await expect(row).toContainText("37");
  await round.tab("Buckets");
  await page.getByRole("link", { name: "t-alpha" }).click();
  await expect(
    page
      .getByText("Groups as the reference decided them")
      .or(page.getByRole("region", { name: "Groups as the reference decided them" }))
      .first(),
  ).toBeAttached();
  await round.tab("Dispatch");
  await expect(page.getByRole("row").filter({ hasText: "req-0013" })).toBeVisible();
  await round.tab("Breaches");
  await expect(page.getByText("1 breach", { exact: true })).toBeVisible();
  await expect(page.getByText("Only the reference found this breach")).toHaveCount(0);
  await round.tab("Checks");
  await round.tab("Inputs");
  await expect(page.getByText("Download all as one bundle")).toBeVisible();
});

test("a report as another program writes it is read, and a wait of 551 is the float noise it is", async ({
  page,
}) => {
  const { report } = await roundFiles(page, "clean");
  const theirs = Object.fromEntries(Object.entries(JSON.parse(report) as Record<string, unknown>).reverse());
  const text = `\uFEFF${JSON.stringify(theirs, null, 3)}`
    .replace('"capacity": 38,', '"capacity": 38.0,')
    .replace(/("wait_ms": )550/, "$1551")
    .replace(/("used": )37\b/, "$136.99999999999999");
  expect(text).toContain("38.0");
  const audit = new AuditPage(page);
  await audit.open();
  await audit.drop(...INPUTS, { name: "report.json", content: text });
  await audit.judge();
  const wait = audit.result.getByRole("row").filter({ hasText: "551" });
  await expect(wait).toContainText("req-0013");
  await expect(wait).toContainText("mismatch");
  await expect(wait).toContainText("binary floating point noise");
  await expect(wait).toContainText("(6 − 3.7999999999999994)");
  await expect(audit.result.getByRole("row").filter({ hasText: "totals.used" })).toContainText(
    "binary floating point noise",
  );
  await expect(audit.result.getByRole("row").filter({ hasText: "totals.capacity" })).toHaveCount(0);
  await expect(audit.result.getByRole("row").filter({ hasText: "checksum" }).first()).not.toContainText(
    "noise",
  );
  await audit.keep();
  await new RoundPage(page).tab("Diff");
  const kept = page.getByRole("row").filter({ hasText: "551" });
  await expect(kept).toContainText("binary floating point noise");
  await kept.getByRole("button").first().click();
  await expect(page.getByText("It is still a mismatch (§2, §5.3)")).toBeVisible();
});

test("any subset of a report's fields is judged: what is missing is indeterminate, never green", async ({
  page,
}) => {
  const { report } = await roundFiles(page, "clean");
  const { counts, decisions } = JSON.parse(report) as Record<string, unknown>;
  const audit = new AuditPage(page);
  await audit.open();
  await audit.drop(...INPUTS, { name: "report.json", content: JSON.stringify({ counts, decisions }) });
  await audit.judge();
  await expect(audit.verdict).toContainText("differences in");
  await expect(audit.result).toContainText(/totals: 3 indeterminate/);
  await audit.keep();
  const round = new RoundPage(page);
  for (const signal of ["report", "exit"])
    await expect(round.signal(signal)).toHaveAttribute("data-claim", "unknown");
  for (const signal of ["health", "probe", "acceptance"])
    await expect(round.signal(signal)).toHaveAttribute("data-claim", "unwell");
  await expect(page.getByRole("row").filter({ hasText: "capacity" }).first()).toContainText("not reported");
});

test("a report whose inputs are missing, broken or refused cannot be judged, and says so", async ({
  page,
}) => {
  const audit = new AuditPage(page);
  await audit.open();
  await audit.drop({ name: "report.json", content: "{}" });
  await audit.judge();
  await expect(page.getByRole("alert").filter({ hasText: "Cannot be judged" })).toContainText(
    "The contract, policy and stream are missing",
  );
  await audit.drop(...INPUTS.slice(0, 2), { name: "requests.jsonl", content: "{}\n" });
  await audit.judge();
  await expect(page.getByTestId("recheck-unjudged")).toContainText("the stream is refused for 1 bad line");
  await audit.keep();
  await expect(page.getByText("This report cannot be judged")).toBeVisible();
  await expect(page.getByRole("heading", { name: "1 bad line" })).toBeVisible();

  await audit.open();
  await audit.drop({ name: "contract.json", content: "{}" }, ...INPUTS.slice(1), {
    name: "report.json",
    content: "{}",
  });
  await page.getByRole("button", { name: "Keep as an audit with all views" }).click();
  await expect(page.getByRole("alert").filter({ hasText: "nothing was stored" })).toContainText(
    "contract.json",
  );
});

test("a log in the stream's place is told as one, and read by its mapping where the audit is kept", async ({
  page,
}) => {
  const audit = new AuditPage(page);
  await audit.open();
  await audit.drop(
    ...INPUTS.slice(0, 2),
    { name: "access.log", content: LOG },
    {
      name: "report.json",
      content: JSON.stringify({ counts: { accepted: 0, queued: 0, rejected: 2, reserve_breached: 0 } }),
    },
  );
  const told = page.getByRole("alert").filter({ hasText: "This stream is a log, or packed" });
  await expect(told.getByRole("link", { name: "make a round of it first" })).toHaveAttribute(
    "href",
    "/rounds/new",
  );
  await page.getByRole("button", { name: "Keep as an audit with all views" }).click();
  await expect(page.getByRole("alert").filter({ hasText: "nothing was stored" })).toContainText("access.log");
  await expect(page.getByText("nginx or Apache, common or combined", { exact: false })).toBeVisible();
  await audit.keep();
  await expect(page.getByText("Audit: the report was made elsewhere")).toBeVisible();
  await new RoundPage(page).tab("Inputs");
  await expect(page.getByText(/2 lines/).first()).toBeVisible();
});

test("a bundle from disk is judged without a network, and shows the same once it is kept", async ({
  page,
  context,
}) => {
  const { bundle } = await roundFiles(page, "problem state");
  const audit = new AuditPage(page);
  await audit.open();
  await audit.ready();
  await context.setOffline(true);
  await audit.drop({ name: "kept.bundle.zip", content: bundle });
  await expect(audit.verdict).toContainText("differences in");
  await expect(page.getByTestId("server-disagrees")).toContainText("The bundle's health says well (0 checks");
  await context.setOffline(false);
  await audit.keep();
  await expect(page.getByRole("heading", { level: 1 })).toContainText("problem state");
  await new RoundPage(page).tab("Diff");
  await expect(page.getByRole("row").filter({ hasText: "totals.used" })).toContainText("27");
});

test("a bundle that was changed, holds no stream or is none says what it is", async ({ page }) => {
  const { bundle } = await roundFiles(page, "clean");
  const audit = new AuditPage(page);
  await audit.open();
  await audit.drop({ name: "a.zip", content: withEntry(bundle, "policy.json", (text) => `${text}\n`) });
  await expect(page.getByRole("list", { name: "Files that were changed" })).toContainText(
    "The policy was changed",
  );
  await audit.drop({ name: "b.zip", content: withoutStream(bundle) });
  await expect(page.getByTestId("recheck-unjudged")).toContainText("the stream is not in this bundle");
  await page.getByRole("button", { name: "Keep as an audit with all views" }).click();
  await expect(page.getByRole("alert").filter({ hasText: "nothing was stored" })).toContainText(
    "holds no stream",
  );
  await audit.drop({ name: "c.zip", content: "no archive" });
  await expect(page.getByTestId("recheck-unjudged")).toContainText("no whole ZIP archive");
});

test("a long recheck shows how far it is, leaves the page answering, and ends when it is cancelled", async ({
  page,
}) => {
  test.setTimeout(120_000);
  const audit = new AuditPage(page);
  await audit.open();
  await audit.ready();
  await audit.drop(...INPUTS.slice(0, 2), { name: "report.json", content: "{}" });
  await audit.dropFile(longStream("long.jsonl"));
  await audit.judge();
  const progress = page.getByRole("progressbar", { name: "Progress of the recheck" });
  await expect(progress).toBeVisible();
  // The page is not held up: what is typed meanwhile is there at once.
  await page.getByLabel("Name").fill("typed meanwhile");
  await expect(page.getByLabel("Name")).toHaveValue("typed meanwhile");
  await page.getByRole("button", { name: "Cancel" }).click();
  await expect(progress).toHaveCount(0);
  await expect(audit.verdict).toHaveCount(0);
  await audit.drop({ name: "requests.jsonl", content: scenarioFile("requests.jsonl") });
  await audit.judge();
  await expect(audit.verdict).toContainText("17 requests recomputed here");
});

inEveryLook(
  "axe finds nothing on the audit page and a recheck",
  async (page) => {
    const { bundle } = await roundFiles(page, "problem state");
    await page.getByRole("button", { name: "Recheck here" }).click();
    await expect(page.getByTestId("recheck-verdict")).toBeVisible();
    await expectSound(page, "a recheck");
    const audit = new AuditPage(page);
    await audit.open();
    await expectSound(page, "no file");
    await audit.drop({ name: "odd.json", content: "{}" });
    await audit.judge();
    await expect(page.getByText("These names do not tell what the files are")).toBeVisible();
    await expectSound(page, "an odd name");
    await audit.drop({ name: "access.log", content: LOG });
    await page.getByRole("button", { name: "Say how the log is read" }).click();
    await expect(page.getByRole("region", { name: "Mapping", exact: true })).toBeVisible();
    await expectSound(page, "a log");
    await audit.drop({ name: `${"long".repeat(60)}.bundle.zip`, content: bundle });
    await expect(audit.verdict).toBeVisible();
    await expectSound(page, "a bundle");
  },
  { timeout_ms: 180_000 },
);
