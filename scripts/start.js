// npm start: installs, builds where the sources are newer than the build, and serves.
import { existsSync, readdirSync, statSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { ensureInstalled, environment, root, run } from "./prepare.js";
import { runServer } from "./run-server.js";

const SOURCES = [
  "app",
  "components",
  "contract",
  "lib",
  "public",
  "instrumentation.ts",
  "instrumentation-node.ts",
  "next.config.ts",
  "proxy.ts",
  "package-lock.json",
];

/** Time of the newest file below a path, in milliseconds. */
function newest(path) {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat === undefined) return 0;
  if (!stat.isDirectory()) return stat.mtimeMs;
  return readdirSync(path).reduce((latest, name) => Math.max(latest, newest(join(path, name))), stat.mtimeMs);
}

function isBuilt() {
  const id = join(root, ".next", "BUILD_ID");
  return (
    existsSync(id) && statSync(id).mtimeMs > Math.max(...SOURCES.map((name) => newest(join(root, name))))
  );
}

/** Why nothing can listen there, in a sentence; null where something can. */
function placeProblem(host, port) {
  return new Promise((resolve) => {
    const trial = createServer();
    trial.once("error", ({ code, message }) =>
      resolve(
        code === "EADDRINUSE"
          ? `Port ${port} of ${host} is in use; stop what listens there, or set PORT to another.`
          : `Cannot listen on ${host}, port ${port}: ${message}`,
      ),
    );
    trial.listen(port, host, () => trial.close(() => resolve(null)));
  });
}

ensureInstalled();
// The server says that it is ready before it has opened anything: what it would be refused is found out here.
run("node", [join(root, "scripts", "check-data.ts")]);
if (!isBuilt()) run("next", ["build"]);
const host = process.env.HOST ?? "127.0.0.1";
const port = process.env.PORT ?? "3000";
const problem = await placeProblem(host, Number(port));
if (problem !== null) {
  console.error(problem);
  process.exit(1);
}
runServer("next", ["start", "--hostname", host, "--port", port], {
  cwd: root,
  // Where the gate runs in the console's process, that process ends itself once its held admissions are ended.
  env: {
    ...environment,
    NODE_ENV: "production",
    ...(environment.THROTTLE_GATE_IN_CONSOLE === "1" ? { NEXT_MANUAL_SIG_HANDLE: "true" } : {}),
  },
});
