import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import AxeBuilder from "@axe-core/playwright";
import { expect, test } from "@playwright/test";
import { NewRoundPage } from "./pages/new-round-page.ts";
import { RoundPage } from "./pages/round-page.ts";

const entry = (second: number, address: string, path = "/") =>
  `${address} - - [25/Oct/2026:10:00:${String(second).padStart(2, "0")} +0000] "GET ${path} HTTP/1.1" 200 512 "-" "curl/8.0"\n`;
const log = [0, 3, 2, 5]
  .map((second, at) => entry(second, `192.0.2.${1 + (at % 2)}`, `/api/t${at}/x`))
  .join("");

/** The tenants of the same log by the command line, under a mapping. */
async function tenantsByCommand(map: string): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), "throttle-"));
  try {
    const [file, stream] = [join(folder, "access.log"), join(folder, "stream.jsonl")];
    await writeFile(file, log);
    await promisify(execFile)(process.execPath, [
      "bin/throttle.js",
      "import",
      file,
      "--map",
      map,
      "--out",
      stream,
    ]);
    const lines = (await readFile(stream, "utf8")).trim().split("\n");
    return lines.map((line) => (JSON.parse(line) as { tenant: string }).tenant);
  } finally {
    await rm(folder, { recursive: true });
  }
}

test("an access log is recognised, mapped, previewed, and becomes a verified round", async ({ page }) => {
  const form = new NewRoundPage(page);
  await form.open();
  await form.chooseStream("access.log.gz", gzipSync(log));
  await expect(page.getByText(/nginx or Apache.*packed by gzip.*4 of the first 4 lines/)).toBeVisible();
  const preview = page.getByRole("region", { name: "First rows under this mapping" });
  await expect(preview.getByRole("row").nth(1)).toContainText("192.0.2.1");

  await page.getByLabel("The tenant is").selectOption({ label: "a part of a field, by an RE2 expression" });
  await page.getByRole("combobox", { name: "Tenant's field" }).fill("path");
  await page.getByLabel("RE2 expression").fill("^/api/(?=x)");
  await expect(page.getByText(/is no RE2 expression/).first()).toBeVisible();
  await page.getByLabel("RE2 expression").fill("^/api/([^/]+)");
  await expect(preview.getByRole("row").nth(4)).toContainText("t3");
  expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([]);

  await page.getByLabel("Keep this mapping as").fill("by path");
  await page.getByRole("button", { name: "Keep", exact: true }).click();
  await expect(page.getByText("Kept as by path.")).toBeVisible();

  const download = page.waitForEvent("download");
  await page.getByRole("link", { name: "As a file, for the command line" }).click();
  expect(await tenantsByCommand(await (await download).path())).toEqual(["t0", "t1", "t2", "t3"]);

  await page.getByRole("button", { name: "Propose such limits from the stream" }).click();
  const proposed = page.getByRole("region", { name: "Proposed limits" });
  await expect(proposed).toContainText("From all 4 requests of 4 tenants");
  await expect(proposed.getByRole("row").filter({ hasText: "t0" })).toBeVisible();
  await form.policy.show("JSON");
  await expect(form.policy.json).toHaveValue(/"tenant": "t0"/);

  await form.run();
  await page.waitForURL(/\/rounds\/[0-9a-z]{20,}$/);
  await expect(page.getByText(/4 requests decided; all .* checks/)).toBeVisible();
  await new RoundPage(page).tab("Inputs");
  await expect(page.getByText(/4 lines = 4 requests \+ 0 problems/)).toBeVisible();
  await expect(page.getByText(/1 line is out of order of time/)).toBeVisible();
  await expect(page.getByRole("region", { name: "Mapping", exact: true })).toContainText("^/api/([^/]+)");
});

test("strict reading refuses a log by its own lines, lenient records them and is never well", async ({
  page,
}) => {
  const bad = `${log}what is this\n${entry(70, "192.0.2.9")}`;
  const form = new NewRoundPage(page);
  await form.open();
  await form.chooseStream("bad.log", bad);
  await form.run();
  await expect(page.getByText("This round was refused: nothing was decided")).toBeVisible();
  const rows = page.getByRole("region", { name: "Bad lines" }).getByRole("row");
  await expect(rows.nth(1)).toContainText("5");
  await expect(rows.nth(2)).toContainText("arrival");

  await form.open();
  await form.chooseStream("bad.log", bad);
  await page.getByRole("radio", { name: /Lenient/ }).check();
  await form.run();
  await expect(page.getByText(/4 requests decided, 2 lines skipped/)).toBeVisible();
  await new RoundPage(page).tab("Inputs");
  const problems = page.getByRole("region", { name: "Lines that were not imported" });
  await expect(problems).toContainText("what is this");
  await expect(problems).toContainText("is no time of the calendar");
  // What was skipped is told by the import's own reasons, not by what a reader of the stream makes of such a line.
  const skipped = page.getByRole("region", { name: "Bad lines" });
  await expect(skipped.getByRole("row").nth(1)).toContainText("does not fit the format");
  await expect(skipped.getByRole("row").nth(2)).toContainText("is no time of the calendar");
  await expect(skipped).not.toContainText("is no object");
});

test("a log without a zone asks for one, and what is no log is refused by saying so", async ({ page }) => {
  const form = new NewRoundPage(page);
  await form.open();
  await form.chooseStream("times.csv", "time,user\n2026-10-25 02:30:00,a\n2026-10-25 04:00:00,b\n");
  await page.getByRole("combobox", { name: "Arrival's field" }).fill("time");
  await page.getByLabel("Its form or unit").selectOption({ label: "ISO 8601" });
  await expect(page.getByText(/has no zone; state one/).first()).toBeVisible();
  await page.getByLabel("Zone of stamps without one").fill("Europe/Berlin");
  await expect(page.getByText(/happened twice in Europe\/Berlin/).first()).toBeVisible();
  await page.getByLabel("An hour that the clock showed twice").selectOption({ label: "is the later one" });
  await expect(page.getByText("2026-10-25T01:30:00Z")).toBeVisible();

  await form.chooseStream("program.log", "10:22:40,672 DEBUG: foo bar baz\n10:22:41,344 WARN: foo bar baz\n");
  await expect(page.getByText(/is no access log that is known here/)).toBeVisible();
  await form.chooseStream("cut.gz", gzipSync(log).subarray(0, 60));
  await expect(page.getByText(/is cut off/)).toBeVisible();
});

test("nginx's own log_format is told as nginx has it", async ({ page }) => {
  const form = new NewRoundPage(page);
  await form.open();
  await form.chooseStream(
    "own.log",
    "1792922400.250|192.0.2.1|alice|/a\n1792922400.500|2001:db8::1|bob|/b\n",
  );
  await page.getByLabel("Format").selectOption("nginx");
  await page
    .getByLabel("log_format")
    .fill("log_format own '$msec|$remote_addr|' '$remote_user|$request_uri';");
  await page.getByRole("combobox", { name: "Arrival's field" }).fill("msec");
  await page.getByLabel("Its form or unit").selectOption({ label: "seconds since 1970" });
  const preview = page.getByRole("region", { name: "First rows under this mapping" });
  await expect(preview.getByRole("row").nth(2)).toContainText("2001:db8::1");
  await expect(preview.getByRole("row").nth(2)).toContainText("2026-10-25T10:00:00.5Z");
});
