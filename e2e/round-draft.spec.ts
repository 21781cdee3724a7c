import { expect, type Page, test } from "@playwright/test";
import { NewRoundPage } from "./pages/new-round-page.ts";
import { scenarioFile } from "./scenario-files.ts";
import { expectNoFindings } from "./sound-page.ts";

const log = [0, 3, 2, 5]
  .map(
    (second, at) => `192.0.2.1 - - [25/Oct/2026:10:00:0${second} +0000] "GET /api/t${at}/x HTTP/1.1" 200 5\n`,
  )
  .join("");

const takenUp = (page: Page) => page.getByRole("status").filter({ hasText: "Taken up again" });
const setAside = (page: Page) => page.getByRole("status").filter({ hasText: "Set aside" });

/** A form in which everything is chosen otherwise than the page opens with. */
async function chooseAll(form: NewRoundPage): Promise<void> {
  const { page } = form;
  await form.chooseStream("kept.log", log);
  await page.getByLabel("The tenant is").selectOption({ label: "a segment of the path" });
  await page.getByRole("combobox", { name: "Tenant's field" }).fill("path");
  await page.getByLabel("Segment, from 1").fill("2");
  await form.policy.writeJson(scenarioFile("policy.json").replace('"t-alpha"', '"t0"'));
  await page.getByLabel("Name", { exact: true }).fill("Last night");
  await page.getByRole("radio", { name: /Lenient/ }).check();
  await form.inject(["float-arithmetic"]);
}

async function expectAll(form: NewRoundPage): Promise<void> {
  const { page } = form;
  await expect(page.getByLabel("The tenant is")).toHaveValue("path-segment");
  await expect(page.getByLabel("Segment, from 1")).toHaveValue("2");
  await expect(page.getByLabel("Name", { exact: true })).toHaveValue("Last night");
  await expect(page.getByRole("radio", { name: /Lenient/ })).toBeChecked();
  await expect(page.getByRole("button", { name: "Inject known faults (1)" })).toBeVisible();
  await form.policy.show("JSON");
  await expect(form.policy.json).toHaveValue(/"t0"/);
}

test("a reload of a new round loses nothing that was chosen, and the round runs from there", async ({
  page,
}) => {
  const form = new NewRoundPage(page);
  await form.open();
  await chooseAll(form);
  await expect(page.getByText(/kept\.log.*, uploaded/)).toBeVisible();
  await page.reload();
  await expect(takenUp(page)).toBeVisible();
  await expect(page.getByText(/kept\.log.*, uploaded/)).toBeVisible();
  await expectAll(form);
  await expectNoFindings(page);
  const preview = page.getByRole("region", { name: "First rows under this mapping" });
  await expect(preview.getByRole("row").nth(4)).toContainText("t3");
  // Another page is looked at meanwhile.
  await page.getByRole("link", { name: "Compare", exact: true }).click();
  await page.waitForURL(/\/compare/);
  await form.open();
  await expectAll(form);
  await form.run();
  await page.waitForURL(/\/rounds\/[0-9a-z]{20,}$/);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Last night");
  await expect(page.getByText(/4 requests decided/)).toBeVisible();
  await form.open();
  await expect(page.getByLabel("Name", { exact: true })).toHaveValue("");
  await expect(takenUp(page)).toHaveCount(0);
});

test("what is taken up again can be discarded, and taken back", async ({ page }) => {
  const form = new NewRoundPage(page);
  await form.open();
  await chooseAll(form);
  await expect(page.getByText(/kept\.log.*, uploaded/)).toBeVisible();
  await page.reload();
  await takenUp(page).getByRole("button", { name: "Discard it" }).click();
  await expect(page.getByText("Drop a stream of requests here")).toBeVisible();
  await expect(page.getByLabel("Name", { exact: true })).toHaveValue("");
  await expect(page.getByRole("radio", { name: /Strict/ })).toBeChecked();
  await setAside(page).getByRole("button", { name: "Take it back" }).click();
  await expect(page.getByText(/kept\.log.*, uploaded/)).toBeVisible();
  await expectAll(form);
  await page.getByRole("button", { name: "Discard what was chosen" }).click();
  await expect(setAside(page)).toBeVisible();
  await page.reload();
  await expect(page.getByLabel("Name", { exact: true })).toBeEnabled();
  await expect(page.getByLabel("Name", { exact: true })).toHaveValue("");
  await expect(takenUp(page)).toHaveCount(0);
});

test("a file that had not arrived is asked for again, and read as was stated", async ({ page }) => {
  const form = new NewRoundPage(page);
  await form.open();
  // Nothing that is sent arrives.
  await page.route("**/api/uploads/**", (route) =>
    route.request().method() === "PATCH" ? undefined : route.fallback(),
  );
  await chooseAll(form);
  await page.reload();
  await expect(page.getByRole("alert").filter({ hasText: "Choose the file again" })).toContainText(
    "kept.log",
  );
  await expect(page.getByLabel("Name", { exact: true })).toHaveValue("Last night");
  await page.unroute("**/api/uploads/**");
  await form.chooseStream("kept.log", log);
  await expect(page.getByText(/kept\.log.*, uploaded/)).toBeVisible();
  await expectAll(form);
});
