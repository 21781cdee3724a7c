import { createHash } from "node:crypto";
import type { InputResult } from "../../contract/input.ts";
import { type Staged, stageConfig } from "../gate/update.ts";
import { located, readJson } from "../ingest/read-documents.ts";
import { readBytes, refusedBy } from "./read-settings.ts";
import type { VersionHistory } from "./version-history.ts";

/** The configuration a gate starts with. */
export interface FirstVersion {
  readonly staged: Staged;
  readonly version: number;
  /** Digest of the file where it is a version of its own, which the history does not hold yet; null: it goes on. */
  readonly file_sha256: string | null;
}

interface FileConfig {
  readonly staged: Staged;
  readonly sha256: string;
}

/** Reads and validates a configuration file (G1); each problem has its path and, where it is known, its line. */
export async function readConfigFile(path: string): Promise<InputResult<FileConfig>> {
  const bytes = await readBytes(path);
  if (!bytes.ok) return bytes;
  const document = readJson(bytes.value, path);
  if (!document.ok) return document;
  const staged = located(stageConfig(document.value.value, path), document.value);
  if (!staged.ok) return staged;
  const sha256 = createHash("sha256").update(bytes.value).digest("hex");
  return { ok: true, value: { staged: staged.value, sha256 } };
}

/**
 * What to start with: the version that was live last, unless the file says something else than the last file did: then
 * the file is the next version. So what was published from the console survives a restart, and so does an edit of the
 * file. A file or a history that is refused starts nothing (§1), whatever the other says.
 */
export async function firstVersion(
  path: string | undefined,
  history: VersionHistory,
): Promise<InputResult<FirstVersion>> {
  const file = path === undefined ? null : await readConfigFile(path);
  if (file !== null && !file.ok) return file;
  const { latest } = history;
  const isNews = file !== null && file.value.sha256 !== history.lastFile;
  if (isNews) {
    const { staged, sha256 } = file.value;
    return { ok: true, value: { staged, version: (latest?.version ?? 0) + 1, file_sha256: sha256 } };
  }
  if (latest === undefined)
    return refusedBy("config", "", "is missing; name a configuration by --config or THROTTLE_GATE_CONFIG");
  const staged = stageConfig(latest.config, `version ${latest.version}`);
  return staged.ok
    ? { ok: true, value: { staged: staged.value, version: latest.version, file_sha256: null } }
    : staged;
}
