// Finds an nginx for the tests of the gate behind one: NGINX_PATH, the system's, or Debian's package, installed where
// neither is there. Run by itself it prints the path.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

const SYSTEM = ["/usr/sbin/nginx", "/usr/local/sbin/nginx", "/usr/bin/nginx", "/usr/local/bin/nginx"];

/** Path of an nginx that exists, or undefined. NGINX_PATH wins. */
export function findNginx() {
  return [process.env.NGINX_PATH, ...SYSTEM].find(
    (path) => path !== undefined && path !== "" && existsSync(path),
  );
}

function installFromDebian() {
  // nginx-light suffices: auth_request is a part of it. The package's own service is not wanted.
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive", RUNLEVEL: "1" };
  for (const args of [["update"], ["install", "-y", "--no-install-recommends", "nginx"]])
    spawnSync("apt-get", args, { stdio: ["ignore", "ignore", "inherit"], env });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  if (findNginx() === undefined) installFromDebian();
  const path = findNginx();
  if (path === undefined) {
    console.error("No nginx found: install one, or set NGINX_PATH.");
    process.exit(1);
  }
  console.log(path);
}
