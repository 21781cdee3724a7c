import { describe, expect, test } from "vitest";
import { JsonFault, parseObjectLine } from "./json-line.ts";

const FIELDS = ["a", "b"];

describe("the one object of a line (§1.3)", () => {
  test.each([
    [
      '{"a":"x y","b":-1.50e+1}',
      [
        { kind: "string", text: "x y" },
        { kind: "number", text: "-1.50e+1" },
      ],
    ],
    ['{"b":true}', [undefined, { kind: "literal", text: "true" }]],
    [
      '{"a":false,"b":null}',
      [
        { kind: "literal", text: "false" },
        { kind: "literal", text: "null" },
      ],
    ],
    [
      '{"b":0,"a":"\\u00e9\\b\\f\\n\\r\\t\\\\\\/"}',
      [
        { kind: "string", text: "é\b\f\n\r\t\\/" },
        { kind: "number", text: "0" },
      ],
    ],
    ['\t{ "a"\r:\t"" \r}\r', [{ kind: "string", text: "" }]],
    ["{}", []],
    ["{ \t\r}", []],
  ])("%s", (line, values) => {
    expect(parseObjectLine(line, FIELDS)).toEqual(values);
  });

  test.each([
    ["", "is no object; expected one request", ""],
    ["[1]", "is no object; expected one request", ""],
    ["{} x", "has something after the object", ""],
    ['{"c":1}', "is an unknown field", "c"],
    ['{"a":1,"a":2}', "is there twice", "a"],
    ['{"a":{}}', "is nested; expected a scalar", "a"],
    ['{"b":[]}', "is nested; expected a scalar", "b"],
    ['{"a":nil}', "is no JSON value", "a"],
    ['{"a":}', "is no JSON value", "a"],
    ['{"a', "is no JSON: a string does not end", ""],
    ['{"a":"\u0001"}', "is no JSON: a control character in a string", ""],
    ['{"a":"\\x"}', "is no JSON: an unknown escape", ""],
    ['{"a":"\\', "is no JSON: an unknown escape", ""],
    ['{"a":"\\u12"}', "is no JSON: a broken \\u escape", ""],
    ["{a:1}", 'is no JSON: expected " at character 2', ""],
    ['{"a" 1}', "is no JSON: expected : at character 6", ""],
    ['{"a":1 "b":2}', "is no JSON: expected , at character 8", ""],
    ['{"a":1', "is no JSON: expected , at character 7", ""],
    ['{"a":1,}', 'is no JSON: expected " at character 8', ""],
  ])("what is none is told: %s", (line, message, field) => {
    let fault: unknown;
    try {
      parseObjectLine(line, FIELDS);
    } catch (error) {
      fault = error;
    }
    expect(fault).toBeInstanceOf(JsonFault);
    expect(fault).toMatchObject({ message, field });
  });
});
