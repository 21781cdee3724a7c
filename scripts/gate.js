// npm run gate: installs where that is needed, and runs the live limiter. Arguments are those of `throttle gate`; without
// a configuration it serves the example.
import { join } from "node:path";
import { ensureInstalled, environment, root } from "./prepare.js";
import { runServer } from "./run-server.js";

ensureInstalled();
const args = process.argv.slice(2);
const env = { THROTTLE_GATE_CONFIG: join(root, "docs", "gate.example.json"), ...environment };
runServer("node", [join(root, "bin", "throttle.js"), "gate", ...args], { env });
