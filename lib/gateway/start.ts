import { chmod } from "node:fs/promises";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import type { InputProblem, InputResult } from "../../contract/input.ts";
import type { DecisionSink } from "../gate/decision-sink.ts";
import type { SharedEvents } from "../gate/shared/shared-store.ts";
import type { Staged } from "../gate/update.ts";
import { makeDirectory } from "../store/atomic-file.ts";
import { lockDataDirectory } from "../store/data-lock.ts";
import { adminToken, writeAdminAccess } from "./admin-access.ts";
import { openAuthenticators } from "./credentials/open-authenticators.ts";
import { type FirstVersion, firstVersion, readConfigFile } from "./first-version.ts";
import { GateServer, type Places } from "./gate-server.ts";
import { openLog } from "./open-log.ts";
import { type OpenedStore, openMemoryStore, openStoreOfMany } from "./open-store.ts";
import { dataFolder, type Overrides, type ReadSettings, readSettings } from "./read-settings.ts";
import { VersionHistory } from "./version-history.ts";

/** What a gate is started with. */
export interface StartOptions {
  /** File of the configuration (G1). */
  readonly config?: string | undefined;
  /** File of the server's settings. */
  readonly settings?: string | undefined;
  readonly overrides?: Overrides;
  /** Told every decision (G11). */
  readonly sink?: DecisionSink | null;
  /** Told of what should not happen while the gate runs. */
  readonly report?: (error: unknown) => void;
}

/** A gate that listens. */
export interface RunningGate {
  readonly server: GateServer;
  readonly places: Places;
  readonly token: string;
  /** Folder of its history and of its admin access. */
  readonly data: string;
  /** Ends it, as a signal would; resolves with the number of held admissions that it ended. */
  close(): Promise<number>;
}

const problemOf = (error: unknown, file: string): InputProblem => ({
  file,
  path: "",
  message: error instanceof Error ? error.message : String(error),
});

const problemsOf = (results: readonly InputResult<unknown>[]): InputProblem[] =>
  results.flatMap((result) => (result.ok ? [] : result.problems));

/**
 * Starts a gate: reads and opens everything, and only then listens. Refused: every problem that was found, and nothing
 * has changed.
 */
export async function startGate(options: StartOptions): Promise<InputResult<RunningGate>> {
  const read = await readSettings(options.settings, options.overrides ?? {});
  if (!read.ok) {
    const config = options.config === undefined ? [] : [await readConfigFile(options.config)];
    return { ok: false, problems: problemsOf([read, ...config]) };
  }
  const data = dataFolder(read.value);
  let unlock: () => void;
  try {
    await makeDirectory(data);
    await chmod(data, 0o700);
    unlock = lockDataDirectory(data);
  } catch (error) {
    return { ok: false, problems: [problemOf(error, data)] };
  }
  try {
    const started = await startIn(data, read.value, options, unlock);
    if (!started.ok) unlock();
    return started;
  } catch (error) {
    unlock();
    throw error;
  }
}

/** Where events of a shared store go once the server is there. */
class LateServer implements SharedEvents {
  server: GateServer | undefined;
  readonly #report: (error: unknown) => void;

  constructor(report: (error: unknown) => void) {
    this.#report = report;
  }

  readonly onPublished = (staged: Staged, version: number): void => {
    this.server?.control.follow(staged, version).catch(this.#report);
  };

  readonly report = (message: string): void => this.#report(new Error(message));
}

async function openStore(
  data: string,
  { settings }: ReadSettings,
  first: FirstVersion,
  events: SharedEvents,
): Promise<InputResult<OpenedStore>> {
  const freebies = settings.freebies === "memory" ? null : join(data, "freebies.sqlite");
  try {
    if (settings.store === undefined) return { ok: true, value: openMemoryStore(first, freebies) };
    return { ok: true, value: await openStoreOfMany(settings.store, first, events) };
  } catch (error) {
    return { ok: false, problems: [problemOf(error, "store")] };
  }
}

async function startIn(
  data: string,
  read: ReadSettings,
  options: StartOptions,
  unlock: () => void,
): Promise<InputResult<RunningGate>> {
  const report = options.report ?? (() => {});
  const late = new LateServer(report);
  const history = await VersionHistory.open(join(data, "versions"));
  const first = history.ok ? await firstVersion(options.config, history.value) : history;
  const authenticators = await openAuthenticators(read);
  const log = await openLog(read, () => late.server?.told ?? null);
  if (!history.ok || !first.ok || !authenticators.ok || !log.ok)
    return { ok: false, problems: problemsOf([first, authenticators, log]) };
  const opened = await openStore(data, read, first.value, late);
  if (!opened.ok) return opened;
  const { settings } = read;
  const token = await adminToken(data, settings.admin.token);
  const server = new GateServer({
    settings,
    history: history.value,
    opened: opened.value,
    authenticators: authenticators.value,
    sink: options.sink ?? log.value,
    log: log.value,
    adminToken: token,
    report,
  });
  late.server = server;
  const refusal = await listening(server, history.value, first.value, opened.value);
  if (refusal !== null) return { ok: false, problems: [refusal] };
  const { places } = server;
  const { host, port } = places.admin;
  await writeAdminAccess(data, { url: `http://${host.includes(":") ? `[${host}]` : host}:${port}`, token });
  const close = () => server.close().finally(unlock);
  return { ok: true, value: { server, places, token, data, close } };
}

/** Listens, and keeps the version where it is news; in this order, so that a taken port changes nothing. Null: it does. */
async function listening(
  server: GateServer,
  history: VersionHistory,
  { file_sha256 }: FirstVersion,
  { version, staged }: OpenedStore,
): Promise<InputProblem | null> {
  const known = history.find(version);
  if (known !== undefined && !isDeepStrictEqual(known.config, JSON.parse(JSON.stringify(staged.config)))) {
    await server.close();
    const message = `holds another version ${version} than the one that is live on the shared store; name another data folder`;
    return { file: "data", path: "", message };
  }
  try {
    await server.listen();
    const source = file_sha256 === null ? "shared" : "file";
    const record = { version, published_ms: Date.now(), source, note: "", file_sha256 } as const;
    if (known === undefined) await history.add({ ...record, config: staged.config });
    return null;
  } catch (error) {
    await server.close();
    return problemOf(error, "settings");
  }
}
