import { createReadStream } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import type { AuditResult } from "../../contract/decision-log.ts";
import { auditGate, type LogSource } from "../rounds/audit-gate.ts";

/** Options of the verb, as commander hands them over. */
export interface AuditGateOptions {
  open?: boolean;
  first: number;
}

/** The files behind a path: itself, or every .jsonl in a folder, whose names sort by time. */
async function logFiles(path: string): Promise<string[]> {
  if (!(await stat(path)).isDirectory()) return [path];
  const names = (await readdir(path)).filter((name) => name.endsWith(".jsonl")).sort();
  if (names.length === 0) throw new Error(`${path}: holds no .jsonl; expected files of a decision log`);
  return names.map((name) => join(path, name));
}

function say({ first, gaps, differences }: AuditResult): void {
  for (const { file, line, clause, field, logged, expected } of first)
    console.error(
      `${file}:${line}: ${field}: logged ${JSON.stringify(logged)}, expected ${JSON.stringify(expected)} (${clause})`,
    );
  if (differences > first.length) console.error(`… and ${differences - first.length} more differences`);
  for (const { file, line, message } of gaps)
    console.error(`${file}${line === null ? "" : `:${line}`}: not judged: ${message}`);
}

/** `audit-gate`: recomputes decision logs by the reference (G11): 0 clean, 2 a difference, 3 not everything could be judged. */
export async function auditGateVerb(paths: string[], { open, first }: AuditGateOptions): Promise<number> {
  const files = (await Promise.all(paths.map(logFiles))).flat();
  const sources = files.map((name): LogSource => ({ name, blocks: () => createReadStream(name) }));
  const result = await auditGate(sources, { first, isOpen: open === true });
  say(result);
  console.log(JSON.stringify(result));
  return result.status;
}
