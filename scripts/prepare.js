// Plain JavaScript that any Node since 18 can run: it is what brings the right Node in.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const root = dirname(dirname(fileURLToPath(import.meta.url)));
const bin = join(root, "node_modules", ".bin");
const stamp = join(root, "node_modules", ".installed-lock");

/**
 * The environment under which every step runs: the project's own Node and tools first in the path. What builds the
 * program tells nobody outside about it, unless whoever runs it said otherwise.
 */
export const environment = {
  NEXT_TELEMETRY_DISABLED: "1",
  ...process.env,
  PATH: `${bin}${delimiter}${process.env.PATH ?? ""}`,
};

/** Installs the locked packages where they are missing or were locked otherwise. */
export function ensureInstalled() {
  const locked = createHash("sha256")
    .update(readFileSync(join(root, "package-lock.json")))
    .digest("hex");
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === locked) return;
  run("npm", ["ci", "--no-audit", "--no-fund", "--loglevel=error"], { env: process.env });
  writeFileSync(stamp, locked);
}

/** Runs a command in the project's folder and ends this process with its status where it fails. */
export function run(command, args, { env = environment } = {}) {
  const { status, error } = spawnSync(command, args, { cwd: root, env, stdio: "inherit" });
  if (error) console.error(`${command}: ${error.message}`);
  if (status !== 0) process.exit(status ?? 1);
}
