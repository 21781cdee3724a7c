import { createReadStream } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import type { AuditResult } from "../../contract/decision-log.ts";
import type {
  GatePublished,
  GateStaged,
  GateState,
  GateVersion,
  GateVersionDetail,
} from "../../contract/gate-admin.ts";
import type { DryRunAnswer, GateAnswer, GateOverview, OwnAuditAnswer } from "../../contract/gate-console.ts";
import type { InputProblem } from "../../contract/input.ts";
import { LOG_FILE_NAME } from "../decision-log/decision-log.ts";
import { located, readJson } from "../ingest/read-documents.ts";
import { auditGate } from "../rounds/audit-gate.ts";
import { dryRunGate } from "../rounds/dry-run-gate.ts";
import type { LogSource } from "../rounds/log-source.ts";
import { askGate } from "./ask-gate.ts";

/** How many differences, flips and clients are shown. */
const SHOWN = 200;
/** The newest files of the log that a dry run replays. */
const DRY_RUN_FILES = 4;

const refused = (message: string, file = "gate"): GateAnswer<never> => ({
  kind: "refused",
  status: 422,
  problems: [{ file, path: "", message }],
});

/** The live gate and its versions. */
export async function gateOverview(): Promise<GateAnswer<GateOverview>> {
  const [state, versions] = await Promise.all([
    askGate<GateState>("GET", "/state"),
    askGate<GateVersion[]>("GET", "/versions"),
  ]);
  if (state.kind !== "answer") return state;
  if (versions.kind !== "answer") return versions;
  return { kind: "answer", value: { state: state.value, versions: versions.value } };
}

export const gateVersion = (version: number): Promise<GateAnswer<GateVersionDetail>> =>
  askGate("GET", `/versions/${version}`);

/** The live version with its configuration. */
export async function liveVersion(): Promise<GateAnswer<GateVersionDetail>> {
  const state = await askGate<GateState>("GET", "/state");
  return state.kind === "answer" ? gateVersion(state.value.version) : state;
}

/** A configuration's text as the gate takes it: strict JSON, every problem of the gate's with its line. */
async function asked<T>(text: string, path: string, more: object = {}): Promise<GateAnswer<T>> {
  const document = readJson(Buffer.from(text), "configuration");
  if (!document.ok) return { kind: "refused", status: 422, problems: document.problems };
  const answer = await askGate<T>("POST", path, { config: JSON.parse(text), ...more });
  if (answer.kind !== "refused") return answer;
  const found: { ok: false; problems: InputProblem[] } = { ok: false, problems: [...answer.problems] };
  const problems = located(found, document.value);
  return problems.ok ? answer : { ...answer, problems: problems.problems };
}

/** Validates a configuration beside the live one, and tells what would change (G8). */
export const stageText = (text: string): Promise<GateAnswer<GateStaged>> => asked(text, "/stage");

/** Publishes a configuration that was made from a version (G8). */
export const publishText = (text: string, from: number, note: string): Promise<GateAnswer<GatePublished>> =>
  asked(text, "/publish", { from, note });

/** Publishes an earlier version again (G8). */
export const rollBack = (to: number, from: number, note: string): Promise<GateAnswer<GatePublished>> =>
  askGate("POST", "/rollback", { to, from, note });

/** Files of the gate's own decision log, oldest first; or why there are none. */
async function ownLog(): Promise<GateAnswer<LogSource[]>> {
  const state = await askGate<GateState>("GET", "/state");
  if (state.kind !== "answer") return state;
  const folder = state.value.log?.folder;
  if (folder === undefined)
    return refused("no decision log is written; name a folder in log.folder of the gate's settings");
  try {
    const names = (await readdir(folder)).filter((name) => LOG_FILE_NAME.test(name)).sort();
    const last = names.at(-1);
    // Files of earlier lives of the gate are logs of their own.
    const own = names.filter((name) => last !== undefined && lifeOf(name) === lifeOf(last));
    return { kind: "answer", value: own.map((name) => sourceOf(folder, name)) };
  } catch (error) {
    return refused(error instanceof Error ? error.message : String(error), folder);
  }
}

const lifeOf = (name: string): string => name.slice(0, name.lastIndexOf("-"));

/** A file as it is now: what is appended while it is read is left for the next time. */
function sourceOf(folder: string, name: string): LogSource {
  const path = join(folder, name);
  return {
    name,
    async *blocks() {
      const { size } = await stat(path);
      if (size > 0) yield* createReadStream(path, { end: size - 1 });
    },
  };
}

/** What a configuration would have done to the newest files of the gate's own log (G8). */
export async function dryRunText(text: string): Promise<DryRunAnswer> {
  const staged = await stageText(text);
  if (staged.kind !== "answer") return staged;
  const log = await ownLog();
  if (log.kind !== "answer") return log;
  const files = log.value.slice(-DRY_RUN_FILES);
  const result = await dryRunGate(files, staged.value.config, { first: SHOWN });
  return { kind: "answer", value: { files: files.length, result } };
}

/** The audit of the gate's own log, as far as it is written (G11). */
export async function auditOwnLog(): Promise<OwnAuditAnswer> {
  const log = await ownLog();
  if (log.kind !== "answer") return log;
  const result = await auditGate(log.value, { first: SHOWN, isOpen: true });
  return { kind: "answer", value: { files: log.value.length, result } };
}

/** The audit of a log that is sent (G11). */
export const auditSent = (
  name: string,
  blocks: AsyncIterable<Uint8Array>,
  isOpen: boolean,
): Promise<AuditResult> => auditGate([{ name, blocks: () => blocks }], { first: SHOWN, isOpen });
