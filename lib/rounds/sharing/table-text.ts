import { stringify } from "csv-stringify/sync";

/** A row of a table that is exported: plain values by the name of their column. */
export type ExportRow = object;

/** What a spreadsheet would run, or read as a number, a date or a truth value, unless it is told that it is text. */
const READ_OTHERWISE =
  /^\s*[=+\-@'＝＋－＠\d.,$€£¥%(#]|^\s*[\t\r\n]|^\s*(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*[\s\-/.]*\d|^\s*(?:true|false|inf(?:inity)?|nan)\s*$/i;

/** Digits that a spreadsheet keeps of a number. */
const MOST_DIGITS = 15;

/** Whether a spreadsheet reads a text as a number and shows it as it is: `7`, `-2.5`, not `0013`, `1.50` or `1e5`. */
const isPlainNumber = (text: string): boolean =>
  /^-?\d+(?:\.\d+)?$/.test(text) &&
  String(Number(text)) === text &&
  text.replace(/\D/g, "").length <= MOST_DIGITS;

/**
 * A text as a cell that a spreadsheet takes for text: with an apostrophe before it where it would run it as a formula or
 * mangle it (`=1+1`, `0013`, `1e5`, `MAR1`); a number that it does not mangle stays one. Whoever reads the file by program takes one leading apostrophe away.
 */
export const textCell = (text: string): string =>
  READ_OTHERWISE.test(text) && !isPlainNumber(text) ? `'${text}` : text;

function cell(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (typeof value === "string") return textCell(value);
  return typeof value === "object" ? textCell(JSON.stringify(value)) : String(value);
}

const csvLines = (rows: readonly (readonly unknown[])[]): string =>
  stringify(
    rows.map((row) => row.map(cell)),
    { record_delimiter: "\r\n" },
  );

/** Rows turned into text at once. */
const BATCH = 500;

/** Rows as they come: made already, or one after the other. */
export type ExportRows = Iterable<ExportRow> | AsyncIterable<ExportRow>;

async function* batches(rows: ExportRows): AsyncGenerator<ExportRow[]> {
  let batch: ExportRow[] = [];
  for await (const row of rows) {
    batch.push(row);
    if (batch.length < BATCH) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

/** RFC 4180, UTF-8 with a BOM (without it spreadsheets guess another encoding); the first line names the columns. */
export async function* csvText(columns: readonly string[], rows: ExportRows): AsyncGenerator<string> {
  yield `\uFEFF${csvLines([columns])}`;
  for await (const batch of batches(rows))
    yield csvLines(
      batch.map((row) => {
        const values = new Map(Object.entries(row));
        return columns.map((column) => values.get(column));
      }),
    );
}

/** One JSON array, a row a line. */
export async function* jsonText(rows: ExportRows): AsyncGenerator<string> {
  let before = "[\n";
  for await (const batch of batches(rows)) {
    yield before + batch.map((row) => JSON.stringify(row)).join(",\n");
    before = ",\n";
  }
  yield before === "[\n" ? "[]\n" : "\n]\n";
}
