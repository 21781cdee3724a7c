import { csvText, type ExportRows, jsonText } from "../../lib/rounds/sharing/table-text.ts";

/** A header's file name: quoted ASCII, and the true one percent-encoded (RFC 6266). */
export const disposition = (name: string): string =>
  `attachment; filename="${name.replace(/[^\x20-\x7e]|["\\%]/g, "_")}"; filename*=UTF-8''${encodeURIComponent(name.toWellFormed())}`;

/** A piece of text at each pull, so that a reader who is slow or gone holds nothing up. */
function textStream(pieces: AsyncGenerator<string>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await pieces.next();
      if (done) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
    async cancel() {
      await pieces.return(undefined);
    },
  });
}

/** Rows as a file to download: CSV where the URL says so, else JSON. */
export function tableFile(
  request: Request,
  name: string,
  columns: readonly string[],
  rows: ExportRows,
): Response {
  const isCsv = new URL(request.url).searchParams.get("format") === "csv";
  return new Response(textStream(isCsv ? csvText(columns, rows) : jsonText(rows)), {
    headers: {
      "Content-Type": isCsv ? "text/csv; charset=utf-8; header=present" : "application/json; charset=utf-8",
      "Content-Disposition": disposition(`${name}.${isCsv ? "csv" : "json"}`),
      "Cache-Control": "private, no-store",
    },
  });
}
