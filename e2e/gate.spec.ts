import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { GateProcess } from "./gate-process.ts";
import { GatePage } from "./pages/gate-page.ts";
import { giveFiles } from "./pages/give-files.ts";
import { expectSound, inEveryLook } from "./sound-page.ts";

test.describe.configure({ mode: "serial" });

let gate: GateProcess | undefined;
// The stories are one: where one of them fails, all are told again from the start.
test.beforeAll(() => GateProcess.forget());
test.afterAll(() => gate?.stop());

test("without a gate every page teaches how to start one", async ({ page }) => {
  const pages = new GatePage(page);
  for (const tab of ["", "/edit", "/versions"]) {
    await pages.open(tab);
    await expect(page.getByText("npm run gate")).toContainText(
      `--data '${join(process.env.THROTTLE_E2E_DATA!, "gate")}'`,
    );
  }
  await expectSound(page, "absent");
});

test("the live gate: rules, denials by reason, buckets, and lamps that need evidence", async ({ page }) => {
  gate = await GateProcess.start();
  const pages = new GatePage(page);
  await pages.open();
  await expect(pages.lamp("ledger")).toHaveAttribute("data-claim", "unknown");
  expect(await gate.ask("/api/x", 7)).toEqual([200, 200, 200, 200, 200, 429, 429]);
  await expect(pages.lamp("ledger")).toHaveAttribute("data-claim", "well");
  await expect(pages.lamp("ledger")).toContainText("5 reserved; 5 committed");
  await expect(pages.rule("burst")).toContainText("5 / 1d");
  await expect(page.getByText("2 rate: no token left")).toBeVisible();
  await expect(page.getByText(/1 of 10.000; when full: evict/)).toBeVisible();
  // The chart begins with the third look, and the page asks by itself.
  await expect(page.getByRole("figure", { name: /Requests a second/ })).toBeVisible();
});

test("a configuration that is refused says why in place, and cannot be published", async ({ page }) => {
  const pages = new GatePage(page);
  await pages.open("/edit");
  await pages.edit((text) => text.replace('"per": "1d"', '"per": "1 day"'));
  await expect(page.getByRole("alert").filter({ hasText: "Not accepted: 1 problem" })).toContainText(
    "services[0].rules[0].per",
  );
  await expect(page.locator("[data-problem]")).toHaveCount(1);
  await page.getByRole("button", { name: /^Go to line \d+$/ }).click();
  await expect(pages.editor).toBeFocused();
  expect(await page.evaluate(() => document.getSelection()?.toString())).toContain("1 day");
  await expect(page.getByRole("button", { name: "Publish …" })).toBeDisabled();
  await pages.edit((text) => text.replace("{", ""));
  await expect(page.getByRole("alert").filter({ hasText: "Not accepted" })).toContainText("line 2");
});

test("a change is compared, tried on the recorded traffic, published, and rolled back", async ({ page }) => {
  const pages = new GatePage(page);
  await pages.open("/edit");
  await pages.edit((text) =>
    text.replace(/"requests": 5/, '"requests": 6').replace(/"burst": 5/, '"burst": 6'),
  );
  await expect(page.getByRole("region", { name: "Changes against the live version" })).toContainText(
    "requests",
  );
  await page.getByRole("button", { name: "Dry run" }).click();
  const dry = page.getByRole("region", { name: "Dry run" });
  await expect(dry).toContainText(
    "Of 7 recorded requests in 1 file, 1 would newly be allowed and 0 newly refused",
  );
  await expect(dry.getByRole("region", { name: "Flips by rule" })).toContainText("burst");
  await page.getByRole("button", { name: "Publish …" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Note").fill("one more");
  await dialog.getByRole("button", { name: "Publish", exact: true }).click();
  await expect(page.getByText("Version 2 is live")).toBeVisible();
  // The page goes on from what it published: nothing is left to change, and the dry run is of before.
  await expect(page.getByRole("heading", { name: "Against version 2, which is live" })).toBeVisible();
  await expect(page.getByText("This dry run was made while version 1 was live")).toBeVisible();
  // A raised burst earns its way up: nobody was given a token (G8).
  expect(await gate!.ask("/api/x", 1)).toEqual([429]);

  await pages.open("/versions");
  await expect(page.locator('[data-version="2"]')).toContainText("one more");
  await page.getByRole("button", { name: "Roll back to 1 …" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Roll back", exact: true }).click();
  await expect(page.locator('[data-version="3"]')).toContainText("live");
});

test("publishing from a version that is no longer live is refused", async ({ page, context }) => {
  const pages = new GatePage(page);
  await pages.open("/edit");
  // This page does not hear of the other's version before it publishes its own.
  await page.route("**/api/gate", (route) => route.abort());
  const other = new GatePage(await context.newPage());
  for (const [at, editor] of [other, pages].entries()) {
    if (at === 0) await editor.open("/edit");
    await editor.edit((text) => text.replace(/"max_entries": \d+/, `"max_entries": ${100 + at}`));
    await editor.page.getByRole("button", { name: "Publish …" }).click();
    await editor.page.getByRole("dialog").getByRole("button", { name: "Publish", exact: true }).click();
  }
  await expect(other.page.getByText("Version 4 is live")).toBeVisible();
  await expect(page.getByRole("alert").filter({ hasText: "nothing has changed" })).toContainText(
    "no longer live",
  );
  // Once it hears of it, it says so, and offers both ways on.
  await page.unroute("**/api/gate");
  const outdated = page.getByRole("alert").filter({ hasText: "Version 4 is live now" });
  await expect(outdated).toContainText("made from version 3");
  const publish = page.getByRole("button", { name: "Publish …" });
  await expect(publish).toBeDisabled();
  await expectSound(page, "outdated");
  await outdated.getByRole("button", { name: "Keep this text" }).click();
  await expect(publish).toBeEnabled();
  await expect(page.getByRole("heading", { name: "Against version 4, which is live" })).toBeVisible();
  await expect(pages.editor).toHaveValue(/"max_entries": 101/);
  await pages.open("/versions");
  const refused = page.getByRole("region", { name: "Refused updates" });
  const latest = refused.getByRole("listitem").first();
  await expect(latest).toContainText("made from version 3");
  await expect(latest).toContainText("version 3 is no longer live; expected 4");
});

test("the gate's own log is audited, and a log that lies is found", async ({ page }) => {
  const pages = new GatePage(page);
  await pages.open("/audit");
  await page.getByRole("button", { name: "Audit the gate's own log" }).click();
  await expect(pages.lamp("audit")).toHaveAttribute("data-claim", "well");
  await expect(pages.lamp("audit")).toContainText("8 decisions recomputed");

  const folder = join(process.env.THROTTLE_E2E_DATA!, "gate-log");
  const text = readFileSync(join(folder, readdirSync(folder).sort().at(-1)!), "utf8");
  const lie = text.replace(
    /"verdict":"denied","reason":"rate","denied_by":\["burst"\]/,
    '"verdict":"allowed","reason":null,"denied_by":[]',
  );
  expect(lie).not.toBe(text);
  await page.getByLabel("They are still being written").check();
  await giveFiles(page.getByLabel("Log files"), {
    name: "lie.jsonl",
    mimeType: "application/jsonl",
    buffer: Buffer.from(lie),
  });
  await expect(pages.lamp("audit")).toHaveAttribute("data-claim", "unwell");
  await expect(page.locator('[data-field="verdict"]')).toContainText("G4");
  await page.getByLabel("They are still being written").uncheck();
  await giveFiles(page.getByLabel("Log files"), {
    name: "open.jsonl",
    mimeType: "application/jsonl",
    buffer: Buffer.from(text),
  });
  await expect(pages.lamp("audit")).toHaveAttribute("data-claim", "unknown");
  await expect(page.getByText("no closing line")).toBeVisible();
});

inEveryLook("axe finds nothing on the gate's pages", async (page) => {
  const pages = new GatePage(page);
  await pages.open();
  await gate!.ask("/api/slow", 2);
  await expect(page.getByRole("figure", { name: /Requests a second/ })).toBeVisible();
  await expectSound(page, "live");
  await pages.open("/edit");
  await pages.edit((text) => text.replace(/"requests": 2/, '"requests": 3'));
  await page.getByRole("button", { name: "Dry run" }).click();
  await expect(page.getByRole("region", { name: "Dry run" })).toBeVisible();
  await expectSound(page, "edit");
  await pages.edit((text) => text.replace(/"auth": "off"/, '"auth": "maybe"'));
  await expect(page.getByRole("alert").filter({ hasText: "Not accepted" })).toBeVisible();
  await expectSound(page, "refused");
  await pages.open("/versions");
  await page.getByRole("button", { name: "Show 1" }).click();
  await expect(page.getByLabel("Configuration of version 1")).toBeVisible();
  await expectSound(page, "versions");
  await pages.open("/audit");
  await page.getByRole("button", { name: "Audit the gate's own log" }).click();
  await expect(pages.lamp("audit")).toBeVisible();
  await expectSound(page, "audit");
});

test("a gate that ended is told as unreachable, and nothing is shown as well", async ({ page }) => {
  const pages = new GatePage(page);
  await pages.open();
  await expect(pages.lamp("ready")).toBeVisible();
  await gate!.stop();
  await expect(page.getByRole("alert").filter({ hasText: "The gate does not answer" })).toBeVisible();
  await expect(pages.lamp("ready")).toHaveCount(0);
  await expectSound(page, "unreachable");
});
