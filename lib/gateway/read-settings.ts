import { dirname, join, resolve } from "node:path";
import { type InputProblem, type InputResult, issueProblems } from "../../contract/input.ts";
import { located, readJson } from "../ingest/read-documents.ts";
import { FileProblem } from "../store/file-problem.ts";
import { readSmallFile } from "../store/read-file.ts";
import { type Settings, settingsSchema } from "./settings-schema.ts";

const FILE_MAX_BYTES = 64 * 1024 * 1024;

/** A small file's bytes, or the problem with it. */
export async function readBytes(path: string): Promise<InputResult<Uint8Array>> {
  try {
    return { ok: true, value: await readSmallFile(path, FILE_MAX_BYTES) };
  } catch (error) {
    if (!(error instanceof FileProblem)) throw error;
    return { ok: false, problems: [{ file: error.file, path: "", message: error.message }] };
  }
}

/** What a command line or the environment says in place of the settings file. */
export interface Overrides {
  readonly host?: string | undefined;
  readonly port?: string | undefined;
  readonly adminPort?: string | undefined;
  readonly endpointsPort?: string | undefined;
  readonly token?: string | undefined;
  readonly data?: string | undefined;
  /** Address of a shared store. */
  readonly store?: string | undefined;
  /** Folder of the decision log. */
  readonly log?: string | undefined;
}

type Fields = Record<string, unknown>;

const asFields = (value: unknown): Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : {};

/** A number where the text is one; any other text is left for the schema to refuse. */
const numeric = (value: string): number | string => (/^\d{1,9}$/.test(value) ? Number(value) : value);

function withOverrides(value: unknown, overrides: Overrides): unknown {
  const { host, port, adminPort, endpointsPort, token, data, store, log } = overrides;
  const changed: Fields = { ...asFields(value) };
  const set = (section: string, field: string, to: string | undefined, number: boolean) => {
    if (to !== undefined)
      changed[section] = { ...asFields(changed[section]), [field]: number ? numeric(to) : to };
  };
  set("listen", "host", host, false);
  set("listen", "port", port, true);
  set("admin", "port", adminPort, true);
  set("admin", "token", token, false);
  set("endpoints", "port", endpointsPort, true);
  set("store", "url", store, false);
  set("log", "folder", log === undefined ? undefined : resolve(log), false);
  if (data !== undefined) changed.data = resolve(data);
  return changed;
}

/** Settings, and what relative paths in them are relative to. */
export interface ReadSettings {
  readonly settings: Settings;
  readonly folder: string;
}

function validated(value: unknown, file: string, overrides: Overrides): InputResult<Settings> {
  // Anything but an object is refused as it is: what overrides it would hide it.
  const whole = value === undefined || asFields(value) === value ? withOverrides(value, overrides) : value;
  const parsed = settingsSchema.safeParse(whole);
  return parsed.success
    ? { ok: true, value: parsed.data }
    : { ok: false, problems: issueProblems(parsed.error, file) };
}

/** Reads the settings of the server: a file, if one is named, and what overrides it. Refused: every problem. */
export async function readSettings(
  path: string | undefined,
  overrides: Overrides,
): Promise<InputResult<ReadSettings>> {
  if (path === undefined) {
    const settings = validated(undefined, "settings", overrides);
    return settings.ok
      ? { ok: true, value: { settings: settings.value, folder: /* turbopackIgnore: true */ process.cwd() } }
      : settings;
  }
  const bytes = await readBytes(path);
  if (!bytes.ok) return bytes;
  const document = readJson(bytes.value, path);
  if (!document.ok) return document;
  const settings = located(validated(document.value.value, path, overrides), document.value);
  if (!settings.ok) return settings;
  return { ok: true, value: { settings: settings.value, folder: dirname(resolve(path)) } };
}

/** A path of the settings file: relative to that file's folder. */
export const besideSettings = ({ folder }: ReadSettings, path: string): string => resolve(folder, path);

/** Where the gate keeps what survives a restart. */
export function dataFolder(read: ReadSettings): string {
  const { data } = read.settings;
  if (data !== undefined) return besideSettings(read, data);
  return gateDataFolder();
}

/** Where a gate keeps its data if nobody says otherwise: where the console, too, looks for it. */
export function gateDataFolder(): string {
  // The bundler must not take the data directory for a part of the program.
  const data = process.env.THROTTLE_DATA || join(/* turbopackIgnore: true */ process.cwd(), "data");
  return process.env.THROTTLE_GATE_DATA || join(data, "gate");
}

/** One problem, as a result. */
export const refusedBy = (
  file: string,
  path: string,
  message: string,
): { ok: false; problems: InputProblem[] } => ({
  ok: false,
  problems: [{ file, path, message }],
});
