import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** What the gate of the tests decides by. */
export const GATE_CONFIG = {
  services: [
    {
      name: "api",
      path: "^/api/",
      auth: "off",
      price: 0,
      rules: [
        { id: "burst", requests: 5, per: "1d" },
        {
          id: "a rule with quite a long name, as people do give them",
          path: "^/api/slow",
          requests: 2,
          per: "1d",
        },
      ],
    },
  ],
};

/** A real gate, in a process of its own, that keeps its data where the console looks for it. */
export class GateProcess {
  readonly #process: ChildProcess;
  readonly url: string;

  private constructor(process: ChildProcess, url: string) {
    this.#process = process;
    this.url = url;
  }

  static async start(): Promise<GateProcess> {
    const folder = process.env.THROTTLE_E2E_DATA!;
    const data = join(folder, "gate");
    mkdirSync(data, { recursive: true });
    const [config, settings] = [join(folder, "gate.json"), join(folder, "gate-settings.json")];
    writeFileSync(config, JSON.stringify(GATE_CONFIG));
    const any = { port: 0 };
    writeFileSync(
      settings,
      JSON.stringify({ listen: any, admin: any, data, log: { folder: join(folder, "gate-log") } }),
    );
    const child = spawn(
      process.execPath,
      ["bin/throttle.js", "gate", "--config", config, "--settings", settings],
      {
        stdio: ["ignore", "pipe", "inherit"],
      },
    );
    const line = await new Promise<string>((resolve, reject) => {
      child.stdout!.once("data", (bytes: Buffer) => resolve(bytes.toString()));
      child.once("exit", (code) => reject(new Error(`the gate ended with ${code}`)));
    });
    const { listen } = JSON.parse(line) as { listen: { host: string; port: number } };
    return new GateProcess(child, `http://${listen.host}:${listen.port}`);
  }

  /** Asks for a path; the statuses of as many answers. */
  async ask(path: string, times: number): Promise<number[]> {
    const statuses: number[] = [];
    for (let asked = 0; asked < times; asked += 1) {
      const response = await fetch(`${this.url}${path}`);
      await response.arrayBuffer();
      statuses.push(response.status);
    }
    return statuses;
  }

  /** Takes away what a gate of an earlier try left behind: no console knows it then. */
  static forget(): void {
    for (const folder of ["gate", "gate-log"])
      rmSync(join(process.env.THROTTLE_E2E_DATA!, folder), { recursive: true, force: true });
  }

  async stop(): Promise<void> {
    if (this.#process.exitCode !== null) return;
    const ended = new Promise((resolve) => this.#process.once("exit", resolve));
    this.#process.kill("SIGTERM");
    await ended;
  }
}
