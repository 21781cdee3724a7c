import { createReadStream } from "node:fs";
import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import type { AuditResult } from "../../../contract/decision-log.ts";
import type { DryRunResult } from "../../../contract/gate-dry-run.ts";
import type { InputResult } from "../../../contract/input.ts";
import { stageConfig } from "../../gate/update.ts";
import { located, readJson } from "../../ingest/read-documents.ts";
import { asFileProblem } from "../../store/file-problem.ts";
import { type AuditOptions, auditGate } from "./audit-gate.ts";
import { dryRunGate } from "./dry-run-gate.ts";
import type { LogSource } from "./log-source.ts";

/** The files behind a path: itself, or every .jsonl in a folder, whose names sort by time. Throws where there is none. */
async function filesOf(path: string): Promise<string[]> {
  const entry = await stat(path).catch((error) => {
    throw asFileProblem(path, error);
  });
  if (!entry.isDirectory()) return [path];
  const names = (await readdir(path)).filter((name) => name.endsWith(".jsonl")).sort();
  if (names.length === 0) throw new Error(`${path}: holds no .jsonl; expected files of a decision log`);
  return names.map((name) => join(path, name));
}

async function sourcesOf(paths: readonly string[]): Promise<LogSource[]> {
  const files = (await Promise.all(paths.map(filesOf))).flat();
  return files.map((name) => ({ name, blocks: () => createReadStream(name) }));
}

/** Audits files of decision logs, or folders of them. */
export const auditGateFiles = async (paths: readonly string[], options: AuditOptions): Promise<AuditResult> =>
  auditGate(await sourcesOf(paths), options);

/** The dry run of a configuration's file over files of decision logs. Refused: every problem of the configuration. */
export async function dryRunGateFiles(
  paths: readonly string[],
  config: string,
  first: number,
): Promise<InputResult<DryRunResult>> {
  const text = await readFile(config).catch((error) => {
    throw asFileProblem(config, error);
  });
  const document = readJson(text, config);
  if (!document.ok) return document;
  const staged = located(stageConfig(document.value.value, config), document.value);
  if (!staged.ok) return staged;
  return { ok: true, value: await dryRunGate(await sourcesOf(paths), staged.value.config, { first }) };
}
