// Plain JavaScript that any Node since 18 can run.
import { spawn } from "node:child_process";

/** How often it is looked whether whoever started this script is still there. */
const LOOK_EVERY_MS = 250;
// Before anything is installed or built: it may be gone by then.
const parent = process.ppid;

/**
 * Runs a server until it ends, and ends as it does. SIGINT and SIGTERM are handed on. npm runs a script by a shell that
 * may end by a signal and hand nothing on: then the server is ended as by SIGTERM, so that it holds its ports no longer.
 */
export function runServer(command, args, options) {
  const server = spawn(command, args, { ...options, stdio: "inherit" });
  for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => server.kill(signal));
  server.on("error", (error) => {
    console.error(`${command}: ${error.message}`);
    process.exit(1);
  });
  server.on("exit", (code, signal) => process.exit(signal ? 1 : (code ?? 0)));
  // Without npm between, a shell that ends leaves what it started in the background, as it is asked to.
  if (process.env.npm_lifecycle_event === undefined) return;
  const looking = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(looking);
    server.kill("SIGTERM");
  }, LOOK_EVERY_MS);
}
