import { FileProblem } from "../store/file-problem.ts";
import { readSmallFile } from "../store/read-file.ts";

/** Largest report read into memory, in bytes; a million decisions take about 150 MB. */
const REPORT_MAX_BYTES = 4 * 1024 ** 3;

/** A report as JSON, of whatever shape; or why it is no JSON. A BOM is allowed. */
export async function readReport(
  path: string,
): Promise<{ ok: true; value: unknown } | { ok: false; message: string }> {
  try {
    const bytes = await readSmallFile(path, REPORT_MAX_BYTES);
    // A fatal decoder: bytes that are no UTF-8 must not turn into replacement characters that could match.
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return { ok: true, value: JSON.parse(text) as unknown };
  } catch (error) {
    if (error instanceof FileProblem || error instanceof SyntaxError || error instanceof TypeError)
      return { ok: false, message: error.message };
    throw error;
  }
}
