// Finds a Chromium for the browser tests: Playwright's own where it is installed, the system's otherwise, and
// Debian's package where neither is there. Run by itself it prints the path.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { chromium } from "@playwright/test";

const SYSTEM = [
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/usr/bin/google-chrome-stable",
];

/** Path of a Chromium that exists, or undefined. CHROMIUM_PATH wins. */
export function findChromium() {
  const candidates = [process.env.CHROMIUM_PATH, chromium.executablePath(), ...SYSTEM];
  return candidates.find((path) => path !== undefined && path !== "" && existsSync(path));
}

function installFromDebian() {
  for (const args of [["update"], ["install", "-y", "--no-install-recommends", "chromium"]])
    spawnSync("apt-get", args, { stdio: ["ignore", "ignore", "inherit"] });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  if (findChromium() === undefined) installFromDebian();
  const path = findChromium();
  if (path === undefined) {
    console.error("No Chromium found: run `npx playwright install chromium`, or set CHROMIUM_PATH.");
    process.exit(1);
  }
  console.log(path);
}
