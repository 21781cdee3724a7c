import { expect, test } from "vitest";
import { expressionFault } from "./expression.ts";
import { compileSnapshot } from "./snapshot.ts";
import { stageConfig } from "./update.ts";

const config = (path: string, extra: object = {}) => ({
  services: [{ name: "api", auth: "off", price: 0, rules: [{ id: "r", requests: 1, per: "1s", path }] }],
  ...extra,
});

test.each([
  ["a(?=b)", "(?="],
  ["(?<!x)y", "(?<!x)"],
  ["(a)\\1", "\\1"],
  ["(", "("],
  ["a**", "**"],
  ["x{2000}", "{2000}"],
  ["[z-a]", "z-a"],
  ["(?>a)", "(?>"],
])("RE2 refuses %s, and the message names %s (G1)", (path, construct) => {
  const compiled = compileSnapshot(config(path));
  expect(compiled).toMatchObject({
    ok: false,
    problems: [
      {
        ...{ file: "config", path: "services[0].rules[0].path" },
        message: expect.stringContaining(construct),
      },
    ],
  });
});

test("what RE2 says is told once, in our words (G1)", () => {
  expect(expressionFault("a(")).toBe(
    "is no RE2 expression: missing closing ): `a(`; expected one without look-around and back-references",
  );
  expect(expressionFault("a")).toBeNull();
});

test("what is staged without a file's name is told as a configuration", () => {
  expect(stageConfig({ services: [] })).toMatchObject({ ok: false, problems: [{ file: "config" }] });
  expect(stageConfig({ services: [] }, "a.json")).toMatchObject({ problems: [{ file: "a.json" }] });
});

test("networks of proxies are CIDR (G1)", () => {
  const compiled = compileSnapshot(config("/", { trusted_proxies: ["10.0.0.0/8", "10.0.0.1", "::/0"] }));
  const message = 'is no network; expected CIDR, such as "10.0.0.0/8"';
  expect(compiled).toMatchObject({ ok: false, problems: [{ path: "trusted_proxies[1]", message }] });
});

test("a rule is told with its expression; one without has an empty one", () => {
  const [first] = config("^/x").services;
  const bare = { ...first!, rules: [...first!.rules, { id: "s", requests: 1, per: "1s" }] };
  const compiled = compileSnapshot({ services: [bare] });
  if (!compiled.ok) throw new Error("refused");
  expect(compiled.value.services[0]!.rules.map(({ pattern }) => pattern)).toEqual(["^/x", ""]);
});

test("what was found for a path is remembered, where it is no longer than memory allows", () => {
  const compiled = compileSnapshot(config("^/x"));
  if (!compiled.ok) throw new Error("refused");
  const { routeOf } = compiled.value;
  const [short, long] = [`/${"x".repeat(511)}`, `/${"x".repeat(512)}`];
  expect(routeOf("", short)).toBe(routeOf("", short));
  expect(routeOf("", long)).toEqual(routeOf("", long));
  expect(routeOf("", long)).not.toBe(routeOf("", long));
});

test("host and path are told apart, whatever they hold", () => {
  const compiled = compileSnapshot({
    services: [
      { name: "a", host: "^a$", auth: "off", price: 0, rules: [] },
      { name: "b", host: "^a:", auth: "off", price: 0, rules: [] },
    ],
  });
  if (!compiled.ok) throw new Error("refused");
  const { routeOf } = compiled.value;
  expect(routeOf("A:80", "/x")?.service.name).toBe("a");
  expect(routeOf("a", ":x/y")?.service.name).toBe("a");
  expect(routeOf("a:x", "/y")?.service.name).toBe("b");
  expect(routeOf("b", "/y")).toBeNull();
});
