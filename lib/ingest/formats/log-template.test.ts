import { expect, test } from "vitest";
import { TemplateReader, templateFault, templateText } from "./log-template.ts";

const values = (template: string, line: string, names: string[]) => {
  const reading = new TemplateReader(templateText(template)).read(line);
  if (reading.kind === "fault") return `! ${reading.reason}`;
  return reading.kind === "record" ? names.map((name) => reading.record.value(name)) : reading.kind;
};

test.each([
  ["log_format main '$a - $b' ' $c';", "$a - $b $c"],
  ['log_format main escape=json \'{"a":"$a"}\';', '{"a":"$a"}'],
  ["'$a' \"$b\"", "$a$b"],
  ["$a '$b'", "$a '$b'"],
  ["'it\\'s $a'", "it's $a"],
])("%s spells %s", (written, text) => expect(templateText(written)).toBe(text));

test.each([
  ["$a $b", "1 2", ["a", "b"], ["1", "2"]],
  // biome-ignore lint/suspicious/noTemplateCurlyInString: that is how nginx writes a variable before a letter.
  ["${a}ms|$b", "12ms|x y", ["a", "b"], ["12", "x y"]],
  ['"$a" $b', '"he said \\"no\\"" 2', ["a", "b"], ['he said "no"', "2"]],
  ["'\"$a\"'", '"\\xC3\\xA9\\x22"', ["a"], ['é"']],
  ["'\"$a\"'", '"\\xff"', ["a"], ["\\xff"]],
  ['[$a] "$request"', '[x] "GET /p?q HTTP/1.1"', ["method", "path", "protocol"], ["GET", "/p?q", "HTTP/1.1"]],
  ['"$request"', '"\\x16\\x03"', ["method", "path"], [null, null]],
  ["$a|$b", "-|", ["a", "b", "c"], [null, null, null]],
])("%s reads %s", (template, line, names, expected) =>
  expect(values(template, line, names)).toEqual(expected),
);

test.each([
  ["[$a] $b", "a] b", 'expected "[" from character 1 on'],
  ["[$a] $b", "[a b", 'expected "] " from character 2 on'],
  ["'\"$a\"'", '"x" y', "goes on where the format ends, at character 4"],
])("%s does not read %s", (template, line, reason) => expect(values(template, line, [])).toContain(reason));

test.each([
  ["plain", "has no variable"],
  ["$a$b", "has $a and $b with nothing between them"],
])("%s is no format", (template, reason) => expect(templateFault(template)).toContain(reason));

test("a sound format has no fault", () => expect(templateFault("$a|$b")).toBeNull());

test("a line of two hundred thousand escaped quotes is read", () => {
  const line = `"${'\\"'.repeat(200_000)}" x`;
  expect(values('"$a" $b', line, ["b"])).toEqual(["x"]);
});
