// Finds a Caddy for the test of the gate behind one: CADDY_PATH, the system's, or Debian's package, installed where
// neither is there. Run by itself it prints the path.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

const SYSTEM = ["/usr/bin/caddy", "/usr/local/bin/caddy"];

/** Path of a Caddy that exists, or undefined. CADDY_PATH wins. */
export function findCaddy() {
  return [process.env.CADDY_PATH, ...SYSTEM].find(
    (path) => path !== undefined && path !== "" && existsSync(path),
  );
}

function installFromDebian() {
  // The package's own service is not wanted.
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive", RUNLEVEL: "1" };
  for (const args of [["update"], ["install", "-y", "--no-install-recommends", "caddy"]])
    spawnSync("apt-get", args, { stdio: ["ignore", "ignore", "inherit"], env });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  if (findCaddy() === undefined) installFromDebian();
  const path = findCaddy();
  if (path === undefined) {
    console.error("No Caddy found: install one, or set CADDY_PATH.");
    process.exit(1);
  }
  console.log(path);
}
