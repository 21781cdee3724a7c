import { expect } from "@playwright/test";
import { RoundPage } from "./pages/round-page.ts";
import { RoundsPage } from "./pages/rounds-page.ts";
import { expectSound, inEveryLook } from "./sound-page.ts";

/** With what each of them shows first, also where it finds nothing. */
const PAGES = [
  "/rounds",
  "/rounds?q=nothing+like+it",
  "/rounds?status=removed",
  "/rounds/new",
  "/faults",
  "/compare",
  "/audit",
  "/gate",
  "/contract",
];
const TABS = [
  "",
  "/buckets",
  "/buckets?tenant=t-alpha&pin=t-beta",
  "/buckets?q=nobody",
  "/dispatch",
  "/dispatch?search=none",
  "/breaches",
  "/diff",
  "/diff?result=all&section=order",
  "/checks",
  "/inputs",
];
/** Answered 404, which a browser tells as an error of its own. */
const NOT_FOUND = ["/nowhere", "/rounds/0", "/share/none"];

inEveryLook(
  "axe finds nothing",
  async (page) => {
    const errors: string[] = [];
    page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
    page.on("pageerror", (error) => errors.push(error.message));
    for (const path of PAGES) {
      await page.goto(path);
      await expectSound(page, path);
    }
    const rounds = new RoundsPage(page);
    await rounds.open();
    await rounds.openRound("problem state");
    const round = page.url();
    for (const tab of TABS) {
      await page.goto(round + tab);
      await expectSound(page, tab);
    }
    await page.goto(`${round}/diff`);
    await page.getByRole("button", { name: "Open" }).first().click();
    await expect(page.getByRole("region", { name: "The opened place" })).toBeVisible();
    await expectSound(page, "an opened place");
    await page.goto(`${round}/dispatch`);
    await page.getByRole("button", { name: "Open" }).first().click();
    await expect(page.getByRole("region", { name: "The opened decision" })).toBeVisible();
    await expectSound(page, "an opened decision");
    await page.getByRole("button", { name: "Keys" }).click();
    await expectSound(page, "the sheet of keys");
    await page.keyboard.press("Escape");
    await page.goto(round);
    const link = await new RoundPage(page).share();
    await expectSound(page, "the dialog of links");
    await page.goto(link);
    await expectSound(page, "a shared round");
    expect(errors).toEqual([]);
    for (const path of NOT_FOUND) {
      await page.goto(path);
      await expectSound(page, path);
    }
  },
  { timeout_ms: 400_000, reducedMotion: "reduce" },
);
