import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import type {
  GatePublished,
  GateStaged,
  GateState,
  GateVersion,
  GateVersionDetail,
} from "../../contract/gate-admin.ts";
import type { AuditAnswer, DryRunAnswer, GateAnswer, GateOverview } from "../../contract/gate-console.ts";
import type { InputProblem } from "../../contract/input.ts";
import { LOG_FILE_NAME } from "../decision-log/log-folder.ts";
import { located, readJson } from "../ingest/read-documents.ts";
import { askGate } from "./ask-gate.ts";
import type { LogFilePart } from "./log-job.ts";
import { type Waiting, workOnLogs } from "./work-on-logs.ts";

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

interface OwnLog {
  readonly files: readonly LogFilePart[];
  readonly isShared: boolean;
}

/** Files of the gate's own decision log, oldest first; or why there are none. */
async function ownLog(): Promise<GateAnswer<OwnLog>> {
  const state = await askGate<GateState>("GET", "/state");
  if (state.kind !== "answer") return state;
  const folder = state.value.log?.folder;
  if (folder === undefined)
    return refused("no decision log is written; name a folder in log.folder of the gate's settings");
  try {
    const names = (await readdir(folder)).filter((name) => LOG_FILE_NAME.test(name)).sort();
    const last = names.at(-1);
    // Files of earlier lives of a gate alone are logs of their own; on a shared store they belong to its one order.
    const isShared = state.value.store === "shared";
    const own = names.filter((name) => isShared || lifeOf(name) === lifeOf(last!));
    const files = await Promise.all(own.map((name) => partOf(folder, name)));
    return { kind: "answer", value: { files, isShared } };
  } catch (error) {
    return refused(error instanceof Error ? error.message : String(error), folder);
  }
}

const lifeOf = (name: string): string => name.slice(0, name.lastIndexOf("-"));

async function partOf(folder: string, name: string): Promise<LogFilePart> {
  const path = join(folder, name);
  return { name, path, bytes: (await stat(path)).size };
}

/** What a configuration would have done to the newest files of the gate's own log (G8). */
export async function dryRunText(text: string, waiting: Waiting): Promise<DryRunAnswer> {
  const staged = await stageText(text);
  if (staged.kind !== "answer") return staged;
  const log = await ownLog();
  if (log.kind !== "answer") return log;
  const { files: all, isShared } = log.value;
  // Of a shared store nothing has its place but from the beginning on.
  const files = isShared ? all : all.slice(-DRY_RUN_FILES);
  return workOnLogs({ kind: "dry-run", files, config: staged.value.config, first: SHOWN }, waiting);
}

/** The audit of the gate's own log, as far as it is written (G11). */
export async function auditOwnLog(waiting: Waiting): Promise<AuditAnswer> {
  const log = await ownLog();
  if (log.kind !== "answer") return log;
  return workOnLogs({ kind: "audit", files: log.value.files, isOpen: true, first: SHOWN }, waiting);
}

/** The audit of files that are sent (G11). */
export const auditSent = (
  files: readonly LogFilePart[],
  isOpen: boolean,
  waiting: Waiting,
): Promise<AuditAnswer> => workOnLogs({ kind: "audit", files, isOpen, first: SHOWN }, waiting);
