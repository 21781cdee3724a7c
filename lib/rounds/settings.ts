import { join } from "node:path";

/** Settings come from the environment; each has a default that works. */

/** Where rounds, uploads and the database live. `THROTTLE_DATA`, by default `data` in the working directory. */
export function dataDir(): string {
  const set = process.env.THROTTLE_DATA;
  // The bundler must not take the data directory for a part of the program.
  return set === undefined || set === "" ? join(/* turbopackIgnore: true */ process.cwd(), "data") : set;
}

/** Where resumable uploads are written until they are whole. */
export function uploadsDir(): string {
  return join(dataDir(), "uploads");
}

/** Where files are that nobody needs once the server that made them has ended: the next start sweeps it. */
export function stagingRoot(): string {
  return join(dataDir(), "staging");
}

const DEFAULT_MAX_UPLOAD_BYTES = 2 * 1024 ** 3;

/** Largest upload in bytes. `THROTTLE_MAX_UPLOAD_BYTES`, by default 2 GiB; a value that is no number stops the program. */
export function maxUploadBytes(): number {
  const text = process.env.THROTTLE_MAX_UPLOAD_BYTES;
  if (text === undefined || text === "") return DEFAULT_MAX_UPLOAD_BYTES;
  if (!/^[1-9][0-9]{0,15}$/.test(text))
    throw new Error(`THROTTLE_MAX_UPLOAD_BYTES is ${JSON.stringify(text)}; expected a whole number of bytes`);
  return Number(text);
}

/** The program's own folder: `npm` starts every script in it. */
export function projectRoot(): string {
  return process.env.THROTTLE_ROOT ?? process.cwd();
}

/**
 * Where Node keeps what it has compiled of the program's own sources: a process then begins in a third of the time.
 * `NODE_COMPILE_CACHE`, by default in the program's own folder, where nobody else writes; one that cannot be written to
 * is done without.
 */
export function compileCacheDir(): string {
  return (
    process.env.NODE_COMPILE_CACHE ?? join(/* turbopackIgnore: true */ projectRoot(), ".cache", "compiled")
  );
}
