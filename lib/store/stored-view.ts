import type { SealFinding } from "../../contract/seal.ts";
import { VIEW_FILES, VIEW_FORMAT, type ViewFiles } from "./view-format.ts";

/** How a problem begins that need not come again: a disk that was full, a process that was killed. */
export const TRIED_AGAIN = "Making them again failed, and is tried once more at the next start: ";

const DIGEST = /^[0-9a-f]{64}$/;

/** Digests of a view's files as the database keeps them. */
export const storedView = (digests: ViewFiles): string => JSON.stringify({ format: VIEW_FORMAT, ...digests });

/** Every digest in what the database keeps of a view, of whatever format. */
export const digestsIn = (stored: string): string[] =>
  Object.values(JSON.parse(stored) as object).filter(
    (part): part is string => typeof part === "string" && DIGEST.test(part),
  );

/** A stored view of which a file is gone or is another one: it is made again, and read no more until then. */
export const lostView = (stored: string, lost: readonly SealFinding[]): string =>
  JSON.stringify({ ...(JSON.parse(stored) as object), lost });

/** What was found wrong with the files of a stored view; nothing where it is only of another format. */
export const lostIn = (stored: string | null): SealFinding[] =>
  stored === null ? [] : ((JSON.parse(stored) as { lost?: SealFinding[] }).lost ?? []);

/** Digests of a stored view; null where it is of another format than this version reads, or files of it are lost. */
export function readStoredView(stored: string | null): ViewFiles | null {
  if (stored === null || lostIn(stored).length > 0) return null;
  const { format, ...files } = JSON.parse(stored) as { format: number } & ViewFiles;
  return format === VIEW_FORMAT && VIEW_FILES.every((file) => DIGEST.test(files[file])) ? files : null;
}
