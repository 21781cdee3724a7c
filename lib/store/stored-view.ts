import type { SealFinding } from "../../contract/seal.ts";
import { VIEW_FILES, VIEW_FORMAT, type ViewFiles } from "./view-format.ts";

/** How a problem begins that need not come again: a disk that was full, a process that was killed. */
export const TRIED_AGAIN = "Making them again failed, and is tried once more at the next start: ";

const DIGEST = /^[0-9a-f]{64}$/;

interface StoredView {
  format?: number;
  lost?: SealFinding[];
}

/** What the database keeps of a view; nothing where there is none, or what was changed by hand into no such thing. */
function parsed(stored: string | null): StoredView {
  try {
    const value: unknown = JSON.parse(stored ?? "{}");
    return typeof value === "object" && value !== null ? value : {};
  } catch {
    return {};
  }
}

/** Digests of a view's files as the database keeps them. */
export const storedView = (digests: ViewFiles): string => JSON.stringify({ format: VIEW_FORMAT, ...digests });

/** Every digest in what the database keeps of a view, of whatever format. */
export const digestsIn = (stored: string): string[] =>
  Object.values(parsed(stored)).filter(
    (part): part is string => typeof part === "string" && DIGEST.test(part),
  );

/** A stored view of which a file is gone or is another one: it is made again, and read no more until then. */
export const lostView = (stored: string | null, lost: readonly SealFinding[]): string =>
  JSON.stringify({ ...parsed(stored), lost });

/** What was found wrong with the files of a stored view; nothing where it is only of another format. */
export const lostIn = (stored: string | null): SealFinding[] => parsed(stored).lost ?? [];

/** Digests of a stored view; null where it is of another format than this version reads, or files of it are lost. */
export function readStoredView(stored: string | null): ViewFiles | null {
  const { format, lost = [], ...files } = parsed(stored) as StoredView & ViewFiles;
  if (lost.length > 0) return null;
  return format === VIEW_FORMAT && VIEW_FILES.every((file) => DIGEST.test(files[file])) ? files : null;
}
