// Finds a Redis or Valkey server for the tests of the shared store, or installs Debian's package where none is there.
// Run by itself it prints the path.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";

const NAMES = ["redis-server", "valkey-server"];
const FOLDERS = ["/usr/bin", "/usr/local/bin", "/opt/homebrew/bin"];

/** Path of a server that exists, or undefined. REDIS_SERVER_PATH wins. */
export function findRedis() {
  const folders = [...(process.env.PATH ?? "").split(delimiter).filter(Boolean), ...FOLDERS];
  const candidates = folders.flatMap((folder) => NAMES.map((name) => join(folder, name)));
  return [process.env.REDIS_SERVER_PATH, ...candidates].find(
    (path) => path !== undefined && path !== "" && existsSync(path),
  );
}

function installFromDebian() {
  for (const args of [["update"], ["install", "-y", "--no-install-recommends", "redis-server"]])
    spawnSync("apt-get", args, { stdio: ["ignore", "ignore", "inherit"] });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  if (findRedis() === undefined) installFromDebian();
  const path = findRedis();
  if (path === undefined) {
    console.error("No Redis or Valkey server found: install redis-server, or set REDIS_SERVER_PATH.");
    process.exit(1);
  }
  console.log(path);
}
