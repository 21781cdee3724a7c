import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { NumberText } from "./decimal.ts";
import { gateCaseSchema } from "./gate-case.ts";
import { type GateTextFaults, readGateConfig } from "./gate-config.ts";

const lenient: GateTextFaults = { expression: () => null, network: () => null };
const service = (fields: object) => ({
  name: "api",
  auth: "off",
  price: 0,
  rules: [] as object[],
  ...fields,
});
const rule = (fields: object) => ({ id: "r", requests: 1, per: "1s", ...fields });
function paths(value: unknown, faults = lenient): string[] {
  const read = readGateConfig(value, faults);
  return read.ok ? [] : read.problems.map(({ path }) => path).sort();
}

test("defaults are filled in, and absent expressions stay absent (G1, G8)", () => {
  const read = readGateConfig({ services: [service({ rules: [rule({})] })] }, lenient);
  expect(read).toStrictEqual({
    ok: true,
    value: {
      services: [
        {
          name: "api",
          auth: "off",
          price: 0,
          challenge: 402,
          rules: [{ id: "r", requests: 1, per: "1s", burst: 1 }],
          max_entries: 10_000,
          on_pressure: "evict",
          client_prefix: { v4: 24, v6: 48 },
          on_unavailable: "deny",
        },
      ],
      hold_ms: 30_000,
      trusted_proxies: [],
    },
  });
});

test("every problem is listed with its path, none hides another (G1)", () => {
  const config = {
    services: [
      service({
        auth: { freebie: 0 },
        rules: [
          null,
          rule({ requests: 0 }),
          rule({ per: "1 s" }),
          rule({ id: "", burst: 1.5 }),
          rule({ pth: "/" }),
          "x",
        ],
      }),
      service({
        auth: "maybe",
        price: -1,
        max_entries: 0,
        client_prefix: { v4: 33, v6: 48 },
        challenge: 403,
      }),
    ],
    hold_ms: 3_600_001,
    extra: 1,
  };
  expect(paths(config)).toEqual(
    [
      "extra",
      "hold_ms",
      "services[0].auth.freebie",
      "services[0].rules[0]",
      "services[0].rules[1].requests",
      "services[0].rules[2].id",
      "services[0].rules[2].per",
      "services[0].rules[3].burst",
      "services[0].rules[3].id",
      "services[0].rules[4].id",
      "services[0].rules[4].pth",
      "services[0].rules[5]",
      "services[1].auth",
      "services[1].challenge",
      "services[1].client_prefix.v4",
      "services[1].max_entries",
      "services[1].name",
      "services[1].price",
    ].sort(),
  );
});

test.each(["0s", "01s", "1", "s", "1.5s", "-1s", "1w", "1S", " 1s", "1000001s", ""])(
  "%j is no duration (G1)",
  (per) => {
    expect(paths({ services: [service({ rules: [rule({ per })] })] })).toEqual(["services[0].rules[0].per"]);
  },
);

test("counts are judged by their text, not by the nearest double (§1.4)", () => {
  const withCount = (text: string) => ({
    services: [service({ rules: [rule({ requests: new NumberText(text) })] })],
  });
  expect(paths(withCount("1.00000000000000001"))).toEqual(["services[0].rules[0].requests"]);
  expect(paths(withCount("5.0"))).toEqual([]);
  expect(paths({ services: [service({ price: "5" })] })).toEqual(["services[0].price"]);
});

test("expressions and networks are judged where they stand, beside other problems (G1)", () => {
  const faults = { expression: (text: string) => (text === "(" ? "no" : null), network: () => "no network" };
  const config = {
    services: [service({ host: "(", path: "(", rules: [rule({ path: "(", requests: 0 })] })],
    trusted_proxies: ["x"],
  };
  expect(paths(config, faults)).toEqual([
    "services[0].host",
    "services[0].path",
    "services[0].rules[0].path",
    "services[0].rules[0].requests",
    "trusted_proxies[0]",
  ]);
});

test.each([null, [], "x", 1, {}, { services: [] }, { services: {} }, { services: [null] }])(
  "%j is no configuration",
  (value) => {
    expect(readGateConfig(value, lenient).ok).toBe(false);
  },
);

test("names are data: `__proto__` is a service and a rule like any other", () => {
  expect(
    paths({
      services: [
        service({ name: "__proto__", rules: [rule({ id: "__proto__" }), rule({ id: "constructor" })] }),
      ],
    }),
  ).toEqual([]);
});

test("the caller's object is not shared: mutating it afterwards changes nothing (G8)", () => {
  const config = {
    services: [service({ auth: { freebie: 3 }, client_prefix: { v4: 8, v6: 8 }, rules: [rule({})] })],
  };
  const read = readGateConfig(config, lenient);
  const before = JSON.stringify(read);
  config.services[0]!.rules.push(rule({ id: "later" }));
  Object.assign(config.services[0]!.rules[0]!, { requests: 9 });
  Object.assign((config.services[0] as unknown as { auth: object }).auth, { freebie: 9 });
  Object.assign((config.services[0] as unknown as { client_prefix: object }).client_prefix, { v4: 9 });
  expect(JSON.stringify(read)).toBe(before);
});

const folder = new URL("./gate-cases/", import.meta.url);
test.each(readdirSync(folder))("%s has the shape of a case (G13)", (file) => {
  const parsed = gateCaseSchema.safeParse(JSON.parse(readFileSync(new URL(file, folder), "utf8")));
  expect(parsed.error?.issues ?? []).toEqual([]);
  expect(parsed.data!.expected).toHaveLength(parsed.data!.steps.length);
});

test("a held request needs a label of its own", () => {
  const step = { op: "request", at: 0, ip: "192.0.2.1", path: "/", hold: true };
  const play = (steps: object[]) => gateCaseSchema.safeParse({ name: "n", config: {}, steps }).success;
  expect(play([step])).toBe(false);
  expect(
    play([
      { ...step, as: "a" },
      { ...step, as: "a" },
    ]),
  ).toBe(false);
  expect(
    play([
      { ...step, as: "a" },
      { ...step, as: "b" },
    ]),
  ).toBe(true);
});
