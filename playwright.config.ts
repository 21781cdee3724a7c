import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defineConfig } from "@playwright/test";
import { findChromium } from "./scripts/find-chromium.js";

const PORT = Number(process.env.THROTTLE_E2E_PORT ?? 3177);
// One fresh data directory a run: the first start of a new installation is part of what is tested.
process.env.THROTTLE_E2E_DATA ??= mkdtempSync(join(tmpdir(), "tenantthrottle-e2e-"));
const executablePath = findChromium();

export default defineConfig({
  testDir: "e2e",
  fullyParallel: false,
  workers: 1,
  forbidOnly: true,
  // One browser, one server and a hundred stories on a machine that may be busy: a story that fails once is told again,
  // and reported as flaky.
  retries: 1,
  // What does not come is missed by each expectation long before; a story as a whole may take its time on a busy machine.
  timeout: 120_000,
  expect: { timeout: 30_000 },
  reporter: [["list"]],
  use: {
    baseURL: `http://127.0.0.1:${PORT}`,
    trace: "retain-on-failure",
    launchOptions: {
      ...(executablePath === undefined ? {} : { executablePath }),
      args: [
        "--no-sandbox",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
      ],
    },
  },
  projects: [
    // A new installation is seen before anything else is made in it.
    { name: "first start", testMatch: "first-start.spec.ts" },
    { name: "stories", testIgnore: "first-start.spec.ts", dependencies: ["first start"] },
  ],
  webServer: {
    command: `next start --hostname 127.0.0.1 --port ${PORT}`,
    url: `http://127.0.0.1:${PORT}/rounds`,
    reuseExistingServer: false,
    timeout: 60_000,
    env: { THROTTLE_DATA: process.env.THROTTLE_E2E_DATA, NODE_ENV: "production" },
  },
});
