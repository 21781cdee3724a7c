import { describe, expect, test } from "vitest";
import { NumberText } from "../../contract/decimal.ts";
import { readInputDocument, readReportDocument } from "./document.ts";

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
const read = (text: string) => readInputDocument(bytesOf(text));

describe("a document (§1)", () => {
  test("numbers keep their text, whatever a double makes of it", () => {
    const result = read('{"a":1.00000000000000001,"b":[1e400,-0],"c":5.0}');
    expect(result).toEqual({
      ok: true,
      value: {
        a: new NumberText("1.00000000000000001"),
        b: [new NumberText("1e400"), new NumberText("-0")],
        c: new NumberText("5.0"),
      },
    });
  });

  test.each([
    ["a key twice", '{"a":1,"a":1}', "a"],
    ["a key twice, once escaped", '{"a":1,"\\u0061":1}', "a"],
    ["a key twice, deep down", '{"x":[{"a":{}},{"b":1,"c":{"b":1},"b" : 2}]}', "b"],
    ["__proto__ twice", '{"__proto__":1,"__proto__":2}', "__proto__"],
  ])("%s is an error", (_, text, key) => {
    expect(read(text)).toEqual({ ok: false, message: `has the key "${key}" twice` });
  });

  test.each([
    ["one key in two objects", '[{"a":1},{"a":{"a":1}}]'],
    ["a value that looks like a key", '{"a":"\\"a\\":","b":"a"}'],
    ["braces in strings", '{"a":"{","b":"}","c":{"a":"\\\\"}}'],
  ])("%s is none", (_, text) => expect(read(text).ok).toBe(true));

  test.each([
    ["nothing", ""],
    ["half a document", '{"a":'],
    ["two documents", "{}{}"],
    ["nesting beyond the stack", `${"[".repeat(500_000)}${"]".repeat(500_000)}`],
    ["NaN", '{"a":NaN}'],
  ])("%s is no document, and no exception", (_, text) => expect(read(text).ok).toBe(false));

  test("bytes that are no UTF-8 are no document; a BOM is stripped", () => {
    const bad = Uint8Array.of(0x7b, 0xff, 0x7d);
    expect(readInputDocument(bad)).toEqual({ ok: false, message: "is no UTF-8" });
    expect(readReportDocument(bad)).toEqual({ ok: false, message: "is no UTF-8" });
    expect(read("\uFEFF{}")).toEqual({ ok: true, value: {} });
    expect(readReportDocument(bytesOf("\uFEFF{}"))).toEqual({ ok: true, value: {} });
  });

  test.each(["[]", "null", "3", '"x"'])("%s is no report", (text) => {
    expect(readReportDocument(bytesOf(text))).toEqual({ ok: false, message: "is no JSON object" });
  });
});
