import { parse } from "csv-parse/sync";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { csvText, jsonText, textCell } from "./table-text.ts";

const joined = async (pieces: AsyncIterable<string>) => {
  let text = "";
  for await (const piece of pieces) text += piece;
  return text;
};
const csv = (columns: string[], rows: object[]) => joined(csvText(columns, rows));
/** What a program reads from a cell of text. */
const plain = (text: string) => (text.startsWith("'") ? text.slice(1) : text);

describe("a table as CSV", () => {
  test.each([
    "=1+1",
    "+1",
    "-2+3",
    "-0",
    "- 2",
    "1.50",
    "0.1234567890123456",
    "@SUM(A1)",
    "\t=1",
    "  =1",
    "0013",
    "1e5",
    "12345678901234567890",
    "MAR1",
    "sep-2",
    "2026-10-25",
    "TRUE",
    "1/2",
    "'already",
    "＝1+1",
  ])("%j is told to be text", (text) => {
    expect(textCell(text)).toBe(`'${text}`);
  });

  test.each(["req-0013", "t-alpha", "", "__proto__", "März", "false_green", "nancy", "truth"])(
    "%j stays as it is",
    (text) => {
      expect(textCell(text)).toBe(text);
    },
  );

  test.each(["7", "0", "-2", "-2.5", "1200.25"])("%j is a number to compute with", (text) => {
    expect(textCell(text)).toBe(text);
  });

  test("numbers are numbers, also negative ones; what is absent is empty; a line ends as RFC 4180 says", async () => {
    const rows = [{ name: "a", n: -2.5, ok: true, none: null, ids: ["x", "y"] }];
    expect(await csv(["name", "n", "ok", "none", "ids", "absent"], rows)).toBe(
      '\uFEFFname,n,ok,none,ids,absent\r\na,-2.5,true,,"[""x"",""y""]",\r\n',
    );
  });

  test("every name comes back as it was, whatever it holds, and no cell begins as a formula", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.string({ unit: "binary" }), { maxLength: 1200 }), async (names) => {
        const text = await csv(
          ["name"],
          names.map((name) => ({ name })),
        );
        const read = parse(text, { bom: true, record_delimiter: "\r\n" }).slice(1) as string[][];
        expect(read.map(([name]) => plain(name!))).toEqual(names);
        for (const [name] of read) expect(name).not.toMatch(/^(?:[=+@\t\r]|-(?!\d+(?:\.\d+)?$))/);
      }),
      { numRuns: 200 },
    );
  });
});

test("a table as JSON is one array of the same rows, also empty and across batches", async () => {
  for (const count of [0, 1, 499, 500, 501, 1500]) {
    const rows = Array.from({ length: count }, (_, at) => ({ at, name: "__proto__" }));
    expect(JSON.parse(await joined(jsonText(rows)))).toEqual(rows);
  }
});
