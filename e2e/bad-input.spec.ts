import { expect, test } from "@playwright/test";
import { NewRoundPage } from "./pages/new-round-page.ts";
import { scenarioFile } from "./scenario-files.ts";

const stream = scenarioFile("requests.jsonl").trimEnd();
const good = (id: string, cost = "1") =>
  `{"req_id": "${id}", "tenant": "t-alpha", "arrival_ms": 1, "cost": ${cost}, "mode": "soft"}`;

test("strict reading refuses a stream and names each bad line", async ({ page }) => {
  const form = new NewRoundPage(page);
  await form.open();
  await form.chooseStream(
    "broken.jsonl",
    `${stream}\nnot json\n\n${good("a", "1e400")}\n${good("req-0001")}\n`,
  );
  await form.run();
  await expect(page.getByText("This round was refused: nothing was decided")).toBeVisible();
  await expect(page.getByRole("heading", { name: "3 bad lines" })).toBeVisible();
  const rows = page.getByRole("region", { name: "Bad lines" }).getByRole("row");
  await expect(rows.nth(1)).toContainText("18");
  await expect(rows.nth(2)).toContainText("20");
  await expect(rows.nth(2)).toContainText("cost");
  await expect(rows.nth(3)).toContainText("21");
  await expect(rows.nth(3)).toContainText("req_id");
});

test("lenient reading leaves bad lines out, says so, and is never well", async ({ page }) => {
  const form = new NewRoundPage(page);
  await form.open();
  await form.chooseStream("lenient.jsonl", `${stream}\n{"req_id": 5}\n`);
  await page.getByRole("radio", { name: /Lenient/ }).check();
  await form.run();
  await expect(page.getByText(/17 requests decided, 1 line skipped/)).toBeVisible();
  await expect(page.locator('[data-signal="exit"]')).toContainText("status 2");
  await expect(page.locator('[data-signal="health"]')).toContainText("0 mismatches, 1 line left out");
  await expect(page.getByRole("alert").filter({ hasText: "Signals disagree" })).toContainText(
    "1 line of the stream was left out",
  );
});

const EDGES: [name: string, content: Buffer, seen: RegExp][] = [
  ["empty.jsonl", Buffer.alloc(0), /0 requests decided; all/],
  ["bom-crlf.jsonl", Buffer.from(`\ufeff${good("a")}\r\n\r\n${good("b")}\r\n`), /2 requests decided; all/],
  ["binary.jsonl", Buffer.from([0, 159, 146, 150, 10, 255, 254]), /2 bad lines/],
  [
    "utf8.jsonl",
    Buffer.concat([Buffer.from('{"req_id": "'), Buffer.from([0xff]), Buffer.from('"}')]),
    /1 bad line/,
  ],
  ["long.jsonl", Buffer.from(`${good("x".repeat(5_000_000))}\n${good("b")}`), /1 bad line/],
];
for (const [name, content, seen] of EDGES)
  test(`${name} is met as §1.3 says, and the server stays up`, async ({ page }) => {
    const form = new NewRoundPage(page);
    await form.open();
    await form.chooseStream(name, content);
    await form.run();
    await expect(page.getByText(seen).first()).toBeVisible();
  });

test("a broken policy is told with line and field, and nothing that was entered is lost", async ({
  page,
}) => {
  const form = new NewRoundPage(page);
  await form.open();
  await form.chooseStream("stream.jsonl", stream);
  await form.policy.writeJson(scenarioFile("policy.json").replace('"capacity": 16', '"capacity": "16"'));
  await form.run();
  await expect(form.problems).toContainText("line 6, tenants[0].capacity: is not a number");
  await expect(form.policy.json).toHaveValue(/"capacity": "16"/);
  await form.policy.writeJson(scenarioFile("policy.json"));
  await form.run();
  await page.waitForURL(/\/rounds\/[0-9a-z]{20,}$/);
});

test("an upload that was cut off is refused, never judged as whole", async ({ page }) => {
  const form = new NewRoundPage(page);
  await form.open();
  // The last chunk never arrives, and yet the browser is told that all went well.
  await page.route("**/api/uploads/**", async (route) => {
    if (route.request().method() !== "PATCH") return route.fallback();
    await route.fulfill({
      status: 204,
      headers: { "Upload-Offset": String(stream.length), "Tus-Resumable": "1.0.0" },
    });
  });
  await form.chooseStream("cut.jsonl", stream);
  await form.run();
  await expect(form.problems).toContainText("was cut off in transfer");
});

test("an upload that the server's disk does not take is told at once, and tried again only by whoever runs the round", async ({
  page,
}) => {
  const form = new NewRoundPage(page);
  await form.open();
  let tries = 0;
  await page.route("**/api/uploads/**", async (route) => {
    if (route.request().method() !== "PATCH") return route.fallback();
    tries += 1;
    await route.fulfill({ status: 507, headers: { "Tus-Resumable": "1.0.0" }, body: "full" });
  });
  await form.chooseStream("full.jsonl", stream);
  await expect(page.getByText("Not uploaded yet: there is no space left on the server's disk")).toBeVisible();
  expect(tries).toBe(1);
  await form.run();
  await expect(form.problems).toContainText("there is no space left on the server's disk");
  expect(tries).toBe(2);
});
