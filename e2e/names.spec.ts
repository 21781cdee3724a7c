import { expect, type Page, test } from "@playwright/test";
import { NewRoundPage } from "./pages/new-round-page.ts";
import { RoundPage } from "./pages/round-page.ts";
import { expectNoFindings } from "./sound-page.ts";

/** Names as strangers write them into logs, and what a reader must see of each. */
const NAMES: [name: string, shown: string][] = [
  ["\u202Egnp.exe", "⟨U+202E⟩gnp.exe"],
  ["pay\u200Bpal", "pay⟨U+200B⟩pal"],
  ["\u2066left\u2069", "⟨U+2066⟩left⟨U+2069⟩"],
  ["é".repeat(128), "éé"],
  ["x".repeat(256), "xx"],
  ["Z\u0351\u036B\u0343\u036A\u0302\u036B\u033D\u034FA", "Z"],
  ["👩‍👩‍👧‍👦", "👩"],
  ["__proto__", "__proto__"],
  ["constructor", "constructor"],
  ["=1+1", "=1+1"],
  ["<img src=x onerror=alert(1)>", "<img src=x onerror=alert(1)>"],
  ["'; DROP TABLE tenant; --", "'; DROP TABLE tenant; --"],
  ["عربي", "عربي"],
];
/** Names that are drawn like another of them, and how each is spelled. */
const ALIKE = [
  ["caf\u00e9", "caf⟨U+00E9⟩"],
  ["cafe\u0301", "cafe⟨U+0301⟩"],
  ["paypal", "paypal"],
  ["p\u0430ypal", "p⟨U+0430⟩ypal"],
] as const;

const CONTRACT = {
  version: 1,
  total_ceiling_per_sec: 10,
  epoch_ms: 1000,
  grace_ms: 1000,
  group_by: "epoch",
  refill: "snapshot",
  tiers: [{ name: "\u202Eelif", guaranteed: true }],
};
const POLICY = {
  tenants: [
    {
      tenant: "*",
      tier: "\u202Eelif",
      capacity: 4,
      rate_per_sec: 1,
      ceiling_units: 1,
      opening_tokens: 2,
      reserve_tokens: 1,
    },
  ],
  denylist: ["=1+1"],
};

async function hostileRound(page: Page, names = NAMES.map(([name]) => name)): Promise<string> {
  const create = new NewRoundPage(page);
  await create.open();
  const lines = names.flatMap((name, at) => [
    JSON.stringify({ req_id: name, tenant: name, arrival_ms: at, cost: 3, mode: "soft" }),
    JSON.stringify({ req_id: `r${at}`, tenant: name, arrival_ms: 2000 + at, cost: 3, mode: "hard" }),
  ]);
  await create.chooseStream("\u202Elnosj.names.jsonl", `${lines.join("\n")}\n`);
  await create.contract.upload("contract.json", JSON.stringify(CONTRACT));
  await create.policy.upload("policy.json", JSON.stringify(POLICY));
  await create.run();
  await expect(new RoundPage(page).signal("health")).toBeVisible({ timeout: 45_000 });
  return page.url();
}

const TABS = ["", "/buckets", "/dispatch", "/breaches", "/diff?result=all", "/checks", "/inputs"];

test("hostile names are shown whole, told apart, and harm no page", async ({ browser }) => {
  test.setTimeout(240_000);
  const context = await browser.newContext({ viewport: { width: 390, height: 900 } });
  const page = await context.newPage();
  const alarms: string[] = [];
  page.on("dialog", (dialog) => {
    alarms.push(dialog.message());
    void dialog.dismiss();
  });
  page.on("pageerror", (error) => alarms.push(error.message));
  const round = await hostileRound(page);
  await expect(page.getByRole("heading", { level: 1 })).toContainText("⟨U+202E⟩lnosj");
  for (const width of [390, 1440, 2560])
    for (const tab of TABS) {
      await page.setViewportSize({ width, height: 900 });
      await page.goto(round + tab);
      await page.waitForLoadState("networkidle");
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      expect(overflow, `${tab} at ${width} px scrolls sideways`).toBeLessThanOrEqual(0);
      // Invisible characters stand on no page as they are, where they could turn what stands beside them around.
      expect(await page.locator("main").textContent(), `${tab} at ${width} px`).not.toMatch(
        /[\u202e\u200b\u2066]/,
      );
      if (width !== 1440) continue;
      await expectNoFindings(page, tab);
    }
  await page.setViewportSize({ width: 1440, height: 2000 });
  await page.goto(`${round}/dispatch`);
  for (const [, shown] of NAMES)
    await expect(page.getByRole("row").filter({ hasText: shown }).first(), shown).toBeVisible();
  expect(alarms).toEqual([]);
  await context.close();
});

test("a link to a hostile name leads to it, and its bucket opens", async ({ page }) => {
  const round = await hostileRound(page);
  for (const name of ["\u202Egnp.exe", "__proto__", "<img src=x onerror=alert(1)>"]) {
    await page.goto(`${round}/buckets?tenant=${encodeURIComponent(name)}`);
    await expect(page.getByRole("region", { name: "Groups as the engine decided them" })).toBeVisible();
    await page.goto(`${round}/dispatch?req=${encodeURIComponent(name)}`);
    await expect(page.locator("[data-marked]")).toBeVisible();
  }
});

test("names that are drawn like another are marked, and told apart by how they are spelled", async ({
  page,
}) => {
  const round = await hostileRound(page, [...ALIKE.map(([name]) => name), "pay\u200Bpal"]);
  for (const tab of ["/buckets", "/dispatch"]) {
    await page.goto(round + tab);
    for (const [name, spelled] of ALIKE) {
      const told = `Another name of this round looks like this one: ${spelled}`;
      const link = page.getByRole("link", { name: `(${told}) ${name}`, exact: true });
      await expect(link).toHaveCount(1);
      // Shown on hover and on focus, as the whole of a clipped name is.
      await expect(link.locator("[data-whole]")).toHaveAttribute("data-whole", told);
    }
    // What is written out is seen, and needs no mark.
    await expect(page.getByRole("link", { name: "pay⟨U+200B⟩pal", exact: true })).toHaveCount(1);
  }
});
