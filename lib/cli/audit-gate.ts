import type { AuditResult } from "../../contract/decision-log.ts";
import { auditGateFiles } from "../rounds/gates/gate-log-files.ts";
import { countText } from "./count-text.ts";
import { tellPeople } from "./tell.ts";

/** Options of the verb, as commander hands them over. */
export interface AuditGateOptions {
  open?: boolean;
  first: number;
}

function say({ first, gaps, differences, claims }: AuditResult): void {
  for (const { file, seq } of claims)
    tellPeople(
      `${file}: judged from number ${seq} on; what the gate held then is its own word, and was not judged (G11)`,
    );
  for (const { file, line, clause, field, logged, expected } of first)
    tellPeople(
      `${file}:${line}: ${field}: logged ${JSON.stringify(logged)}, expected ${JSON.stringify(expected)} (${clause})`,
    );
  if (differences > first.length)
    tellPeople(`… and ${countText(differences - first.length, "more difference")}`);
  for (const { file, line, message } of gaps)
    tellPeople(`${file}${line === null ? "" : `:${line}`}: not judged: ${message}`);
}

/** `audit-gate`: recomputes decision logs by the reference (G11): 0 clean, 2 a difference, 3 not everything could be judged. */
export async function auditGateVerb(paths: string[], { open, first }: AuditGateOptions): Promise<number> {
  const result = await auditGateFiles(paths, { first, isOpen: open === true });
  say(result);
  console.log(JSON.stringify(result));
  return result.status;
}
