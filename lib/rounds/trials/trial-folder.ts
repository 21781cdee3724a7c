import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readDocument } from "../../ingest/document.ts";
import { jsonText, writeStream } from "../../ingest/write-stream.ts";
import type { RoundFiles } from "../run/run-round.ts";
import { projectRoot } from "../settings.ts";
import { SCENARIO, scenarioFiles } from "./scenario.ts";

/** Inputs on which faults are tried: a name and its files. */
export interface Trial {
  name: string;
  files: RoundFiles;
}

/** A folder for trials that exists while a function runs. */
export class TrialFolder {
  readonly path: string;
  private constructor(path: string) {
    this.path = path;
  }

  /** Runs a function with a new folder, and removes it afterwards. */
  static async use<Result>(work: (folder: TrialFolder) => Promise<Result>): Promise<Result> {
    const path = await mkdtemp(join(tmpdir(), "tenantthrottle-"));
    try {
      return await work(new TrialFolder(path));
    } finally {
      await rm(path, { recursive: true, force: true });
    }
  }

  /** The scenario of §7, its report in this folder. */
  scenario(report = "report.json"): Trial {
    return { name: "the scenario", files: { ...scenarioFiles(), report: join(this.path, report) } };
  }

  /** Writes a file into the folder and returns its path. */
  async write(name: string, text: string | Uint8Array): Promise<string> {
    const path = join(this.path, name);
    await writeFile(path, text);
    return path;
  }

  /** The other scenarios of the contract, each for faults that the first cannot show. */
  async *otherScenarios(): AsyncGenerator<Trial> {
    for (const name of (await readdir(join(projectRoot(), "contract", "scenario"))).sort())
      if (name !== SCENARIO)
        yield { name, files: { ...scenarioFiles(name), report: join(this.path, `${name}.report.json`) } };
  }

  /** Lays out every case of the contract as files of a round. */
  async *cases(): AsyncGenerator<Trial> {
    const folder = join(projectRoot(), "contract", "cases");
    for (const name of (await readdir(folder)).sort()) {
      const document = readDocument(await readFile(join(folder, name), "utf8"), name);
      if (!document.ok) throw new Error(`${name} is no case`);
      const { contract, policy, requests } = document.value.value as {
        contract: unknown;
        policy: unknown;
        requests: unknown[];
      };
      yield {
        name: name.replace(/\.json$/, ""),
        files: {
          contract: await this.write(`${name}.contract.json`, jsonText(contract)),
          policy: await this.write(`${name}.policy.json`, jsonText(policy)),
          input: await this.write(`${name}.requests.jsonl`, writeStream(requests)),
          report: join(this.path, `${name}.report.json`),
        },
      };
    }
  }
}
