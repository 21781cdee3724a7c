import type { BundleFile } from "../../contract/bundle.ts";

/** The files of an audit as they were dropped or picked: one bundle, or up to four files. */
export interface AuditFiles {
  bundle: File | null;
  contract: File | null;
  policy: File | null;
  stream: File | null;
  report: File | null;
}

export const NO_FILES: AuditFiles = {
  bundle: null,
  contract: null,
  policy: null,
  stream: null,
  report: null,
};

/** In the order in which a judgement asks for them. */
export const AUDIT_PARTS: BundleFile[] = ["contract", "policy", "stream", "report"];

/** What a file is by its name, in words that people and programs use; null where the name does not tell. */
export function partOf(name: string): keyof AuditFiles | null {
  const lower = name.toLowerCase();
  if (/\.zip$/.test(lower)) return "bundle";
  if (/\.(jsonl|ndjson|log|csv|tsv)(\.(gz|zst))?$/.test(lower) || /request|stream/.test(lower))
    return "stream";
  for (const part of ["contract", "policy", "report"] as const) if (lower.includes(part)) return part;
  return null;
}

/**
 * Files with those that were dropped put in their places, and the names of those that fit in none. One whose name does
 * not tell what it is goes where alone a file is missing.
 */
export function placeFiles(
  files: AuditFiles,
  dropped: readonly File[],
): { files: AuditFiles; unplaced: string[] } {
  const unknown: File[] = [];
  let placed = files;
  for (const file of dropped) {
    const part = partOf(file.name);
    if (part === null) unknown.push(file);
    else if (part === "bundle") placed = { ...NO_FILES, bundle: file };
    else placed = { ...placed, bundle: null, [part]: file };
  }
  const [left, missing] = [unknown[0], missingParts(placed)];
  if (left !== undefined && unknown.length === 1 && missing.length === 1)
    return { files: { ...placed, [missing[0]!]: left }, unplaced: [] };
  return { files: placed, unplaced: unknown.map(({ name }) => name) };
}

/** What is missing to judge a report; empty where nothing is. A bundle brings all it has. */
export function missingParts(files: AuditFiles): BundleFile[] {
  return files.bundle === null ? AUDIT_PARTS.filter((part) => files[part] === null) : [];
}
