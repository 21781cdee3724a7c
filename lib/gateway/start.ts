import { chmod } from "node:fs/promises";
import { join } from "node:path";
import type { InputProblem, InputResult } from "../../contract/input.ts";
import type { DecisionSink } from "../gate/decision-sink.ts";
import { makeDirectory } from "../store/atomic-file.ts";
import { lockDataDirectory } from "../store/data-lock.ts";
import { adminToken, writeAdminAccess } from "./admin-access.ts";
import { openAuthenticators } from "./credentials/open-authenticators.ts";
import { type FirstVersion, firstVersion, readConfigFile } from "./first-version.ts";
import { GateServer, type Parts, type Places } from "./gate-server.ts";
import { openMemoryStore } from "./open-store.ts";
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

async function startIn(
  data: string,
  read: ReadSettings,
  options: StartOptions,
  unlock: () => void,
): Promise<InputResult<RunningGate>> {
  const history = await VersionHistory.open(join(data, "versions"));
  const first = history.ok ? await firstVersion(options.config, history.value) : history;
  const authenticators = await openAuthenticators(read);
  if (!history.ok || !first.ok || !authenticators.ok)
    return { ok: false, problems: problemsOf([first, authenticators]) };
  const { settings } = read;
  const token = await adminToken(data, settings.admin.token);
  const server = await listening(
    {
      settings,
      first: first.value,
      history: history.value,
      opened: openMemoryStore(first.value.staged),
      authenticators: authenticators.value,
      sink: options.sink ?? null,
      adminToken: token,
      report: options.report ?? (() => {}),
    },
    first.value,
  );
  if (!server.ok) return server;
  const { places } = server.value;
  const { host, port } = places.admin;
  await writeAdminAccess(data, { url: `http://${host.includes(":") ? `[${host}]` : host}:${port}`, token });
  const close = () => server.value.close().finally(unlock);
  return { ok: true, value: { server: server.value, places, token, data, close } };
}

/** Listens, and writes down the first version where it is news; in this order, so that a taken port changes nothing. */
async function listening(
  parts: Parts,
  { version, file_sha256, staged }: FirstVersion,
): Promise<InputResult<GateServer>> {
  const server = new GateServer(parts);
  try {
    await server.listen();
  } catch (error) {
    return { ok: false, problems: [problemOf(error, "settings")] };
  }
  if (file_sha256 === null) return { ok: true, value: server };
  const record = {
    version,
    published_ms: Date.now(),
    source: "file",
    note: "",
    file_sha256,
    config: staged.config,
  } as const;
  try {
    await parts.history.add(record);
  } catch (error) {
    await server.close();
    throw error;
  }
  return { ok: true, value: server };
}
