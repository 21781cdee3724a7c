// npm run gate: installs where that is needed, and runs the live limiter. Arguments are those of `throttle gate`; without
// a configuration it serves the example.
import { spawn } from "node:child_process";
import { join } from "node:path";
import { ensureInstalled, environment, root } from "./prepare.js";

ensureInstalled();
const args = process.argv.slice(2);
const env = { THROTTLE_GATE_CONFIG: join(root, "docs", "gate.example.json"), ...environment };
const gate = spawn("node", [join(root, "bin", "throttle.js"), "gate", ...args], { env, stdio: "inherit" });
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => gate.kill(signal));
gate.on("exit", (code, signal) => process.exit(signal ? 1 : (code ?? 0)));
