import { formatBytes } from "../format/format.ts";

const MAX_BYTES = 16 * 1024 * 1024;

/** Reads a chosen file as UTF-8, or says why it is none. */
export async function readText(file: File): Promise<{ text: string } | { problem: string }> {
  if (file.size > MAX_BYTES)
    return { problem: `${file.name} has ${formatBytes(file.size)}; expected at most 16 MiB.` };
  try {
    return { text: new TextDecoder("utf-8", { fatal: true }).decode(await file.arrayBuffer()) };
  } catch {
    return { problem: `${file.name} is no UTF-8 text; expected a JSON file.` };
  }
}
