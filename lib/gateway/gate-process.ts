import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const BIN = fileURLToPath(new URL("../../bin/throttle.js", import.meta.url));

/** A gate as a process of its own, as it is started from a shell; for tests and benchmarks. */
export class GateProcess {
  readonly url: string;
  readonly child: ChildProcess;

  private constructor(child: ChildProcess, port: number) {
    this.child = child;
    this.url = `http://127.0.0.1:${port}`;
  }

  /** Starts `throttle gate` on free ports; rejects with what it says where it does not start. */
  static async start(args: readonly string[], data: string): Promise<GateProcess> {
    const places = ["--port", "0", "--admin-port", "0", "--data", data];
    const child = spawn(process.execPath, [BIN, "gate", ...places, ...args], {
      stdio: ["ignore", "pipe", "pipe"],
    });
    let said = "";
    child.stderr.on("data", (chunk: Buffer) => {
      said += chunk;
    });
    const line = once(createInterface(child.stdout), "line") as Promise<[string]>;
    const [first] = await Promise.race([line, once(child, "exit").then(() => [null])]);
    if (first === null) throw new Error(said);
    return new GateProcess(child, JSON.parse(first!).listen.port);
  }

  /** Ends it as a shell would, and gives its exit status. */
  async stop(): Promise<number | null> {
    if (this.child.exitCode !== null) return this.child.exitCode;
    this.child.kill("SIGTERM");
    const [code] = (await once(this.child, "exit")) as [number | null];
    return code;
  }
}
