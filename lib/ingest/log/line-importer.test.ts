import { expect, test } from "vitest";
import { boundedLines, LOG_LINE_MAX_BYTES } from "./bounded-lines.ts";
import { LineImporter } from "./line-importer.ts";
import { readMapping } from "./request-mapper.ts";
import { isoText } from "./stamp.ts";

type Row = [line: number, what: string, detail: string];

/** What the lines of a text become under a mapping of this format. */
async function imported(text: string | Uint8Array, format: object, more: object = {}): Promise<Row[]> {
  const read = readMapping({
    version: 1,
    format,
    tenant: { by: "field", field: "who" },
    arrival: { field: "at", unit: "s" },
    cost: { by: "constant", cost: 1 },
    mode: { by: "constant", mode: "soft" },
    req_id: { by: "line" },
    ...more,
  });
  if (!read.ok) throw new Error(JSON.stringify(read.problems));
  const rows: Row[] = [];
  const importer = new LineImporter(read.value, {
    request: (line, { tenant, arrived, cost, isSoft, reqId }) =>
      rows.push([
        line,
        tenant,
        `${isoText(arrived).slice(17, 21)} ${cost} ${isSoft ? "soft" : "hard"} ${reqId}`,
      ]),
    problem: ({ line, field, reason }) => rows.push([line, `!${field}`, reason]),
    other: (line) => rows.push([line, "", ""]),
  });
  const bytes = typeof text === "string" ? new TextEncoder().encode(text) : text;
  for await (const block of boundedLines(
    (async function* () {
      for (let at = 0; at < bytes.length; at += 1000) yield bytes.subarray(at, at + 1000);
    })(),
  ))
    importer.block(block);
  importer.end();
  return rows;
}

const json = (who: unknown, at = 1) => JSON.stringify({ who, at });
const cri = (stream: string, tag: string, text: string) =>
  `2026-10-25T10:00:00.5+02:00 ${stream} ${tag} ${text}\n`;

test("parts of a container's lines are joined by stream; the request has the number of its first part", async () => {
  const text = [
    cri("stdout", "P", json("a").slice(0, 5)),
    cri("stderr", "F", json("b")),
    cri("stdout", "P", json("a").slice(5, 8)),
    cri("stdout", "F", json("a").slice(8)),
    cri("stdout", "P", "never"),
    "no prefix\n",
  ].join("");
  expect(await imported(text, { id: "json-lines", unwrap: "cri" })).toEqual([
    [1, "a", "01.0 1 soft line-1"],
    [2, "b", "01.0 1 soft line-2"],
    [3, "", ""],
    [4, "", ""],
    [5, "!", "is a part of a line whose rest never comes"],
    [6, "!", "has no prefix of a container runtime"],
  ]);
});

const docker = (stream: string, log: unknown) =>
  `${JSON.stringify({ log, stream, time: "2026-10-25T10:00:00.5Z" })}\n`;

test("what Docker wrapped is joined by stream until its line feed comes, and each line is counted once", async () => {
  const text = [
    docker("stdout", json("a").slice(0, 5)),
    docker("stderr", `${json("b")}\n`),
    docker("stdout", json("a").slice(5, 8)),
    docker("stdout", `${json("a").slice(8)}\r\n`),
    docker("stdout", "\n"),
    docker("stdout", 7),
    docker("stdout", `${json("c")}\nmore\n`),
    docker("stdout", "\ud800\n"),
    '{"log":"a\\n","log":"b\\n","stream":"stdout"}\n',
    json("bare"),
    "\n",
    docker("stderr", json("never")),
  ].join("");
  expect(await imported(text, { id: "json-lines", unwrap: "docker" })).toEqual([
    [1, "a", "01.0 1 soft line-1"],
    [2, "b", "01.0 1 soft line-2"],
    [3, "", ""],
    [4, "", ""],
    [5, "", ""],
    [6, "!", "is no line that Docker wrapped; expected an object with log and stream"],
    [7, "!", "holds the control character U+000A"],
    [8, "!", "holds half of a character (a lone surrogate)"],
    [9, "!", "has the key log twice, as Docker wraps it"],
    [10, "!", "is no line that Docker wrapped; expected an object with log and stream"],
    [11, "!", "is a part of a line whose rest never comes"],
  ]);
});

test("a part whose rest does not come is let go after so many lines: memory stays bounded", async () => {
  const text = cri("stdout", "P", "x") + cri("stderr", "F", json("b")).repeat(10_005);
  const rows = await imported(text, { id: "json-lines", unwrap: "cri" });
  expect(rows).toHaveLength(10_006);
  expect(rows[0]).toEqual([1, "!", "is a part of a line whose rest does not come within 10000 lines"]);
});

test.each([
  `<134>Oct 25 10:00:00 host app[12]: ${json("a")}`,
  `Oct  5 10:00:00 host app: ${json("a")}`,
  `2026-10-25T10:00:00.123+02:00 host app[12]: ${json("a")}`,
  `<165>1 2026-10-25T10:00:00Z host app 12 ID47 - ${json("a")}`,
  `<165>1 2026-10-25T10:00:00Z host app - - [x@1 k="a\\]b"][y@2] \uFEFF${json("a")}`,
])("syslog is taken off: %s", async (line) => {
  expect(await imported(`${line}\n`, { id: "json-lines", unwrap: "syslog" })).toEqual([
    [1, "a", "01.0 1 soft line-1"],
  ]);
});

test("a key twice, however it is spelled or spaced, is a problem of its line", async () => {
  const lines = [
    '{"who" :"a","at":1,"who":"b"}',
    '{"who"  :"a","at":1,"wh\\u006f":"b"}',
    '{"x":{"y":1,"y":2},"who":"a","at":1}',
  ];
  const rows = await imported(lines.join("\n"), { id: "json-lines" });
  expect(rows.map(([, , reason]) => reason)).toEqual([
    "has the key who twice",
    "has the key who twice",
    "has the key x.y twice",
  ]);
});

test("fields named like what every object has are fields like any other, and absent where they are absent", async () => {
  const tenant = (field: string) => ({ tenant: { by: "field", field } });
  const text = '{"__proto__":"p","constructor":"c","at":1}\n{"at":1}\n';
  for (const [field, name] of [
    ["__proto__", "p"],
    ["constructor", "c"],
  ] as const)
    expect(await imported(text, { id: "json-lines" }, tenant(field))).toEqual([
      [1, name, "01.0 1 soft line-1"],
      [2, "!tenant", `the line has no ${field}`],
    ]);
});

test("nesting without end is a problem of its line", async () => {
  const deep = `{"at":1,"who":"a","x":${"[".repeat(200_000)}${"]".repeat(200_000)}}`;
  const [row] = await imported(deep, { id: "json-lines" });
  expect(row?.[1]).toBe("!");
  expect(row?.[2]).toContain("is nested too deeply");
});

test("control characters, odd bytes and a line without end are problems of their lines alone", async () => {
  const bytes = Buffer.concat([
    Buffer.from(`${json("a")}\n`),
    Buffer.from([0x7b, 0xff, 0x0a]),
    Buffer.from(`{"who":"\u0007","at":1}\n`),
    Buffer.alloc(LOG_LINE_MAX_BYTES + 1, "x"),
    Buffer.from("\n"),
    Buffer.from(`${json("\u0007")}\n\n${json("*")}\n${json("é".repeat(200))}\r\n${json("z")}`),
  ]);
  expect(await imported(bytes, { id: "json-lines" })).toEqual([
    [1, "a", "01.0 1 soft line-1"],
    [2, "!", "is no UTF-8"],
    [3, "!", "holds the control character U+0007"],
    [4, "!", `is longer than ${LOG_LINE_MAX_BYTES} bytes`],
    [5, "!tenant", expect.stringContaining("holds a control character")],
    [6, "", ""],
    [7, "!tenant", expect.stringContaining('is "*"')],
    [8, "!tenant", expect.stringContaining("is longer than 256 bytes")],
    [9, "z", "01.0 1 soft line-9"],
  ]);
});

test("a line of exactly the longest length is read", async () => {
  const line = json("a").padEnd(LOG_LINE_MAX_BYTES, " ");
  expect((await imported(`${line}\n`, { id: "json-lines" }))[0]?.[1]).toBe("a");
});

test("a stray quote in a table costs its own line, and the record it closes", async () => {
  const text = 'at,who\n1,"a\nb"\n2,"c\n3,d\n4,"e",f\n5,g\n';
  expect((await imported(text, { id: "csv" })).map(([line, what]) => [line, what])).toEqual([
    [1, ""],
    [2, "a\nb"].map((part) => (typeof part === "string" ? "!tenant" : part)),
    [3, ""],
    [4, "!"],
    [5, "d"],
    [6, "!"],
    [7, "g"],
  ]);
});

test("costs by field, method and path; modes by field; ids by field", async () => {
  const text = [
    '{"who":"a","at":1,"units":2.50,"method":"post","path":"/search?q","kind":"batch","id":"x-1"}',
    '{"who":"a","at":1,"units":0,"method":"GET","path":"/a/%2e./search/","kind":"live","id":"x-2"}',
    '{"who":"a","at":1,"units":1e-7,"id":"x-3"}',
    '{"who":"a","at":1}',
  ].join("\n");
  const cost = (mapping: object) => imported(text, { id: "json-lines" }, { cost: mapping });
  expect((await cost({ by: "field", field: "units" })).map(([, , detail]) => detail)).toEqual([
    "01.0 2.5 soft line-1",
    '"0" is no cost; expected above 0, at most 1000000000',
    '"1e-7" is no cost: too many digits after the point',
    "the line has no units",
  ]);
  const byMethod = await cost({
    by: "method",
    field: "method",
    costs: [{ method: "POST", cost: 5 }],
    otherwise: 1,
  });
  expect(byMethod.map(([, , detail]) => detail.split(" ")[1])).toEqual(["5", "1", "1", "1"]);
  const byPath = await cost({
    by: "path",
    field: "path",
    costs: [{ expression: "^/search", cost: 9 }],
    otherwise: 1,
  });
  expect(byPath.map(([, , detail]) => detail.split(" ")[1])).toEqual(["9", "9", "1", "1"]);
  const byField = {
    mode: { by: "field", field: "kind", soft: ["batch"] },
    req_id: { by: "field", field: "id" },
  };
  expect((await imported(text, { id: "json-lines" }, byField)).map(([, , detail]) => detail)).toEqual([
    "01.0 1 soft x-1",
    "01.0 1 hard x-2",
    "01.0 1 hard x-3",
    "the line has no id",
  ]);
});
