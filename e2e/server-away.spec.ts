import { expect, test } from "@playwright/test";
import { NewRoundPage } from "./pages/new-round-page.ts";
import { scenarioFile } from "./scenario-files.ts";
import { expectNoFindings } from "./sound-page.ts";

const ANSWERS_NOT = "the server did not answer: it is down, is being started, or cannot be reached from here";

test("a round that the server does not start is told in words, and tried again with all that was chosen", async ({
  page,
}) => {
  const form = new NewRoundPage(page);
  await form.open();
  await form.chooseStream("away.jsonl", scenarioFile("requests.jsonl"));
  await expect(page.getByText(/away\.jsonl.*, uploaded/)).toBeVisible();
  await expect(page.getByText("A canonical stream: it needs no mapping.")).toBeVisible();
  await page.route("**/rounds/new", (route) =>
    route.request().method() === "POST" ? route.abort("connectionrefused") : route.fallback(),
  );
  await form.run();
  const told = page.getByRole("alert").filter({ hasText: "It is not known whether the round was started" });
  await expect(told).toContainText(ANSWERS_NOT);
  await expect(told).toContainText("All that was chosen is still here");
  await expect(told).not.toContainText("Failed to fetch");
  await expectNoFindings(page);
  await page.unroute("**/rounds/new");
  await told.getByRole("button", { name: "Try again" }).click();
  await page.waitForURL(/\/rounds\/[0-9a-z]{20,}$/);
});

test("a stream that cannot be looked at is looked at once the server is there again", async ({ page }) => {
  const form = new NewRoundPage(page);
  await form.open();
  await expect(page.getByLabel("Stream file")).toBeEnabled();
  await page.route("**/rounds/new", (route) =>
    route.request().method() === "POST" ? route.abort("connectionrefused") : route.fallback(),
  );
  await form.chooseStream("away.jsonl", scenarioFile("requests.jsonl"));
  const told = page.getByRole("alert").filter({ hasText: "The stream could not be looked at" });
  await expect(told).toContainText("The server did not answer");
  await page.unroute("**/rounds/new");
  await told.getByRole("button", { name: "Try again" }).click();
  await expect(page.getByText("A canonical stream: it needs no mapping.")).toBeVisible();
});
