import { readReportStream } from "../../report-file/read-report-stream.ts";
import { FileProblem } from "../../store/file-problem.ts";
import { fileBytes, readInputFile, readSmallFile } from "../../store/read-file.ts";

/** Largest report read into memory as one text, in bytes: no text of JavaScript is longer. */
const REPORT_MAX_BYTES = 512 * 1024 ** 2;
/** From here on a report is read by streaming: as objects it would take ten times its size. */
export const STREAMED_FROM_BYTES = 32 * 1024 ** 2;

export type ReportRead = { ok: true; value: unknown } | { ok: false; message: string };

/** A report as JSON, of whatever shape; or why it is no JSON. A BOM is allowed. */
export async function readReport(path: string): Promise<ReportRead> {
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

/** The same of a report of any size: of a large one decisions and dispatch order are packed rows. */
export async function readReportRows(
  path: string,
  streamedFromBytes = STREAMED_FROM_BYTES,
): Promise<ReportRead> {
  try {
    if ((await fileBytes(path)) < streamedFromBytes) return await readReport(path);
    return await readReportStream(readInputFile(path));
  } catch (error) {
    if (error instanceof FileProblem) return { ok: false, message: error.message };
    throw error;
  }
}
