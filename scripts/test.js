// npm test: everything that must hold, from a fresh clone, in one command.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ensureInstalled, environment, root } from "./prepare.js";

/** Each step: what it shows, and its command. The order puts what fails fastest first. */
const STEPS = [
  ["route types", "next", ["typegen"]],
  ["types", "tsc", ["--noEmit"]],
  ["lint", "biome", ["check", "."]],
  [
    "import rules",
    "depcruise",
    ["--config", ".dependency-cruiser.js", "app", "components", "contract", "lib"],
  ],
  ["unused code and packages", "knip", []],
  ["a Redis server", "node", ["scripts/find-redis.js"]],
  ["an nginx", "node", ["scripts/find-nginx.js"]],
  ["a Caddy", "node", ["scripts/find-caddy.js"]],
  ["unit and property tests", "vitest", ["run"]],
  ["build", "next", ["build"]],
  ["script sizes", "node", ["scripts/check-script-size.ts"]],
  ["a browser", "node", ["scripts/find-chromium.js"]],
  ["browser tests", "playwright", ["test"]],
];

ensureInstalled();
// Whatever a step leaves behind is gone with this folder.
const temporary = mkdtempSync(join(tmpdir(), "tenantthrottle-"));
process.on("exit", () => rmSync(temporary, { recursive: true, force: true }));
const env = { ...environment, TMPDIR: temporary };
let passed = 0;
for (const [title, command, args] of STEPS) {
  console.log(`\n=== ${title}: ${command} ${args.join(" ")}`);
  const { status, error } = spawnSync(command, args, { cwd: root, env, stdio: "inherit" });
  if (status === 0) {
    passed += 1;
    continue;
  }
  console.error(`=== ${title} failed${error ? `: ${error.message}` : ` with status ${status}`}`);
  console.log(`steps: ${passed} passed, 1 failed, ${STEPS.length - passed - 1} skipped`);
  process.exit(1);
}
console.log(`\nsteps: ${passed} passed, 0 failed`);
