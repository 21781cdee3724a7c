import fc from "fast-check";
import { expect, test } from "vitest";
import type { FormatSpec, MappingProposal } from "../../../contract/mapping.ts";
import { previewLog, readHead, recognise } from "../log/recognise.ts";
import { readMapping } from "../log/request-mapper.ts";

/** What a log is taken for, and what its lines become: tenants, or the reasons of problems behind a "!". */
async function read(text: string, change: object = {}, wanted?: FormatSpec) {
  const head = await readHead(Buffer.from(text), true);
  const found = recognise(head, wanted);
  if (found === null || !found.ok) throw new Error(found?.reason ?? "taken for the canonical stream");
  const { proposal, asks, fields } = found.recognition;
  const { arrival, ...rest } = change as Partial<MappingProposal>;
  const mapping = readMapping({ ...proposal, ...rest, arrival: { ...proposal.arrival, ...arrival } });
  if (!mapping.ok) throw new Error(JSON.stringify(mapping.problems));
  const rows = previewLog(head, mapping.value, 100).rows.map(({ outcome }) =>
    outcome.ok ? outcome.tenant : `! ${outcome.reason}`,
  );
  return { proposal, asks, fields: fields.map(({ name }) => name), rows };
}

const by = (field: string) => ({ tenant: { by: "field", field } });
const UTC = { arrival: { zone: "UTC" } };
const CLF = "[25/Oct/2026:10:00:00 +0000]";
const haproxy = (address: string, behind = "") =>
  `${address}:5000 [25/Oct/2026:10:00:00.655] fe~ be/srv 0/0/1/2/3 200 12 - - ---- 1/1/1/1/0 0/0 "GET /v1/acme HTTP/1.1"${behind}`;

test("a syslog header without a host takes nothing of an address behind it", async () => {
  const lines = ["192.0.2.1", "2001:db8::1", "::1"].map(
    (address) => `<134>Oct 25 10:00:00 haproxy[12]: ${haproxy(address)}`,
  );
  const { proposal, rows } = await read(lines.join("\n"), UTC);
  expect(proposal.format).toEqual({ id: "haproxy", unwrap: "syslog" });
  expect(rows).toEqual(["192.0.2.1", "2001:db8::1", "::1"]);
});

test("a syslog header without a tag makes no tag of an address or of a key of JSON", async () => {
  const common = (address: string) => `Oct 25 10:00:00 lb ${address} - - ${CLF} "GET / HTTP/1.1" 200 12`;
  const { rows } = await read([common("2001:db8::1"), common("2001:db8::2")].join("\n"));
  expect(rows).toEqual(Array(2).fill(expect.stringMatching(/^! remote_addr "Oct" is no address/)));
  const json = 'Oct 25 10:00:00 lb {"ip":"192.0.2.1","time":"2026-10-25T10:00:00Z"}';
  await expect(read(json)).rejects.toThrow("is no access log");
});

test("a number's digits are the log's, whatever else stands in the line", async () => {
  const texts = ["9.0", "1.10", "-0", "0.0000001", "1e3", "12345678901234567890", "7"];
  for (const beside of ["1", "1.5e-7", "0.12345678901234567"]) {
    const lines = texts.map((text) => `{"id": ${text},"time":"2026-10-25T10:00:00Z","n":[${beside}]}`);
    expect((await read(lines.join("\n"), by("id"))).rows).toEqual(texts);
  }
});

const numberText = fc.oneof(
  fc.constantFrom(
    "0",
    "-0",
    "1",
    "1.0",
    "1.00",
    "1e0",
    "10e-1",
    "9007199254740992",
    "9007199254740993",
    "1e400",
  ),
  fc
    .tuple(fc.integer(), fc.constantFrom("", ".5", ".50", "e2", "E+2", ".0"))
    .map(([whole, rest]) => `${whole}${rest}`),
);

test("of numbers that are one to a machine each keeps its own text", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(numberText, { minLength: 1, maxLength: 6 }), fc.nat(), async (texts, place) => {
      const nth = place % texts.length;
      const members = texts.map((text, at) => `"n${at}": ${text}`);
      const list = texts.join(" ,");
      const line = `{"time":"2026-10-25T10:00:00Z","said":": ${texts[0]}1",${members},"list":[ ${list}]}`;
      expect((await read(line, by(`n${nth}`))).rows).toEqual([texts[nth]]);
      expect((await read(line, by("list"))).rows).toEqual([texts.join(", ")]);
    }),
    { numRuns: 300 },
  );
});

test("a line that is nested too deeply for its numbers' texts is a problem, not half a line", async () => {
  const line = (inner: string) => `{"time":"2026-10-25T10:00:00Z","x":${inner},"id":1.0,"n":1}`;
  const deep = `${"[".repeat(1100)}${"]".repeat(1100)}`;
  expect(
    (await read(`${line("0")}\n${line(deep)}\n`, { tenant: { by: "field", field: "id", missing: "none" } }))
      .rows,
  ).toEqual(["1.0", expect.stringContaining("! is nested too deeply")]);
});

test("what HAProxy writes behind the request of an HTTPS log is no part of its path", async () => {
  const lines = [
    haproxy("192.0.2.1", " 0/0000000000000000/0/0/0 a.example/TLSv1.3/TLS_AES_256_GCM_SHA384"),
    haproxy("192.0.2.1"),
    haproxy("192.0.2.1").slice(0, -1),
    haproxy("192.0.2.1", 'x"'),
  ];
  const tenant = { tenant: { by: "field", field: "protocol" } };
  expect((await read(lines.join("\n"), { ...tenant, ...UTC })).rows).toEqual([
    "HTTP/1.1",
    "HTTP/1.1",
    "HTTP/1.1",
    "! is no line of HAProxy's HTTP log",
  ]);
});

test("a list of addresses that stands first is one column: no hop is taken for another", async () => {
  const line = (before: string) => `${before} - - ${CLF} "GET / HTTP/1.1" 200 12 "-" "curl"`;
  const text = [
    line("192.0.2.1, 198.51.100.2"),
    line("192.0.2.1, 198.51.100.2, 203.0.113.3"),
    line("www.example.com 192.0.2.1, 203.0.113.3"),
    line("2001:db8::1, ::1"),
  ].join("\n");
  expect((await read(text)).rows).toEqual(["192.0.2.1", "192.0.2.1", "192.0.2.1", "2001:db8::1"]);
  const last = { tenant: { by: "address", field: "remote_addr", hop: "last" } };
  expect((await read(text, last)).rows).toEqual(["198.51.100.2", "203.0.113.3", "203.0.113.3", "::1"]);
  const named = `192.0.2.1 - Smith, Bob ${CLF} "GET / HTTP/1.1" 200 12 "-" "curl"`;
  expect((await read(named, by("remote_user"))).rows).toEqual(["Smith, Bob"]);
});

test("where a server looks names up, a name is the tenant, and so is an address that has none", async () => {
  const line = (client: string) => `${client} - - ${CLF} "GET / HTTP/1.1" 200 12`;
  const { proposal, rows } = await read(`${line("a.example.com")}\n${line("192.0.2.1")}\n`);
  expect(proposal.tenant).toEqual({ by: "field", field: "remote_addr" });
  expect(rows).toEqual(["a.example.com", "192.0.2.1"]);
});

test("fields that nginx's own JSON has are proposed", async () => {
  const line =
    '{"time_iso8601":"2026-10-25T10:00:00+00:00","remote_addr":"192.0.2.1","request":"GET / HTTP/1.1"}';
  expect((await read(line)).asks).toEqual([]);
});

test("a common log whose stamps have no zone asks for one", async () => {
  const text = '192.0.2.1 - - [25/Oct/2026:10:00:00] "GET / HTTP/1.1" 200 12\n';
  expect((await read(text)).asks).toEqual(["State the time zone of time_local: its stamps have none."]);
  expect((await read(text, UTC)).rows).toEqual(["192.0.2.1"]);
});

test("Apache's letters for control characters are what they stand for: no name has them", async () => {
  const line = (agent: string) => `192.0.2.1 - - ${CLF} "GET / HTTP/1.1" 200 12 "-" "${agent}"`;
  const agents = ["a\\nb", "a\\\\nb", "a\\tb", "a\\u00e9"];
  const { rows } = await read(agents.map(line).join("\n"), by("http_user_agent"));
  const control = expect.stringContaining("holds a control character");
  expect(rows).toEqual([control, "a\\nb", control, "a\\u00e9"]);
});

test.each([
  ["escape=json ", 'a \\"b\\" \\\\ \\u00e9', 'a "b" \\ é'],
  ["escape=none ", 'a"b \\x41 \\', 'a"b \\x41 \\'],
  ["escape=default ", "a\\x22b \\x5C", 'a"b \\'],
  ["", "a\\x22b \\x5C", 'a"b \\'],
])("a log_format %sis read with its escapes", async (escapes, written, agent) => {
  const spec = {
    id: "nginx",
    log_format: `log_format main ${escapes}'$remote_addr [$time_local] "$http_user_agent"';`,
  } as const;
  expect((await read(`192.0.2.1 ${CLF} "${written}"\n`, by("http_user_agent"), spec)).rows).toEqual([agent]);
});

test("Traefik escapes nothing in its common log, and what else it writes between holds no request", async () => {
  const line = (agent: string) =>
    `192.0.2.1 - - ${CLF} "GET / HTTP/1.1" 200 12 "-" "${agent}" 7 "web@docker" "http://10.0.0.1" 2ms`;
  const text = [
    '{"level":"info","msg":"Configuration loaded","time":"2026-10-25T10:00:00Z"}',
    line("C:\\"),
    line('a"b'),
    line("\\x41"),
  ].join("\n");
  const { proposal, rows } = await read(text, by("agent"));
  expect(proposal.arrival).toEqual({ field: "time", unit: "clf" });
  expect(rows).toEqual(["C:\\", 'a"b', "\\x41"]);
});

test("texts in quotes of a W3C log hold spaces and quotes; what is no such text stays as it is", async () => {
  const line = (agent: string) => `2026-10-25 10:00:00 192.0.2.1 ${agent}`;
  const text = ["#Fields: date time c-ip cs(User-Agent) ", line('"a ""b"" c"'), line('a"b'), line("x  ")];
  expect((await read(`${text.join("\n")}\n${line("nbsp\u00a0")}`, by("cs(User-Agent)"))).rows).toEqual([
    'a "b" c',
    'a"b',
    "x",
    "nbsp\u00a0",
  ]);
});

test("every column of a table can be named: without a name, of a name twice, or with a sign in it", async () => {
  const header = ',time,user,user,cpu %,2xx,"user (2)"';
  const text = `${header}\n0,2026-10-25T10:00:00Z,a,b,1,2,c\n`;
  const { fields } = await read(text, by("user"));
  expect(fields).toEqual(["column 1", "time", "user", "user (3)", "cpu %", "2xx", "user (2)"]);
  for (const [field, tenant] of [
    ["column 1", "0"],
    ["user", "a"],
    ["user (3)", "b"],
    ["user (2)", "c"],
  ] as const)
    expect((await read(text, by(field))).rows).toEqual([tenant]);
});

test("a table's first request is no header", async () => {
  for (const line of [
    "2026-10-25T10:00:00Z,a",
    "192.0.2.1,a",
    "10:00,a",
    "1.5,a",
    '2026-10-25 10:00:00,"a b"',
  ])
    await expect(read(`${line}\n${line}\n`)).rejects.toThrow("is no access log");
});

test("a format that is stated is read between whatever else stands there; one that is guessed must be most of it", async () => {
  const access = `192.0.2.1 - - ${CLF} "GET / HTTP/1.1" 200 12`;
  const text = `${"starting up\n".repeat(9)}${access}\n`;
  await expect(read(text)).rejects.toThrow("reads 1 of the first 10 lines");
  const { rows } = await read(text, {}, { id: "combined" });
  expect(rows.filter((row) => !row.startsWith("!"))).toEqual(["192.0.2.1"]);
  expect(rows).toHaveLength(10);
  await expect(read("starting up\n", {}, { id: "combined" })).rejects.toThrow("is no access log");
});

test("a record of many lines is put together, quotes of its own in between", async () => {
  const inner = Array.from({ length: 900 }, (_, nth) => `line ${nth} says ""no""`).join("\n");
  const text = `time,user,note\n2026-10-25T10:00:00Z,a,"${inner}"\n2026-10-25T10:00:00Z,b,"x"\n`;
  const head = await readHead(Buffer.from(text), true);
  const mapping = readMapping({
    version: 1,
    format: { id: "csv" },
    tenant: { by: "field", field: "user" },
    arrival: { field: "time", unit: "iso" },
    cost: { by: "constant", cost: 1 },
    mode: { by: "constant", mode: "soft" },
    req_id: { by: "line" },
  });
  if (!mapping.ok) throw new Error(JSON.stringify(mapping.problems));
  expect(previewLog(head, mapping.value, 100).rows.map(({ line, outcome }) => [line, outcome.ok])).toEqual([
    [2, true],
    [902, true],
  ]);
});

/** The moments of lines of an extended log, with these directives before them. */
async function momentsOf(date: string, times: readonly string[]): Promise<string[]> {
  const lines = times.map((time, at) => `${time} 192.0.2.${at} GET /a 200`);
  const log = [`#Date: ${date}`, "#Fields: time c-ip cs-method cs-uri-stem sc-status", ...lines];
  const head = await readHead(Buffer.from(log.join("\n")), true);
  const found = recognise(head);
  if (found === null || !found.ok) throw new Error("not recognised");
  const mapping = readMapping(found.recognition.proposal);
  if (!mapping.ok) throw new Error(JSON.stringify(mapping.problems));
  return previewLog(head, mapping.value, 100).rows.flatMap(({ outcome }) =>
    outcome.ok ? outcome.arrived_at : [],
  );
}

test.each([
  ["an evening", "2026-10-25 23:00:00", ["23:59:59"], ["2026-10-25T23:59:59"]],
  [
    "past midnight",
    "2026-12-31 23:00:00",
    ["23:59:59", "00:00:01"],
    ["2026-12-31T23:59:59", "2027-01-01T00:00:01"],
  ],
  ["the first line past midnight", "2026-10-25 23:59:58", ["00:00:01"], ["2026-10-26T00:00:01"]],
  [
    "two midnights",
    "2026-02-28",
    ["20:00:00", "04:00:00", "20:00:00", "04:00:00"],
    ["2026-02-28T20:00:00", "2026-03-01T04:00:00", "2026-03-01T20:00:00", "2026-03-02T04:00:00"],
  ],
  [
    "written late",
    "2026-10-25",
    ["23:59:59", "00:00:00", "23:59:58", "00:00:01"],
    ["2026-10-25T23:59:59", "2026-10-26T00:00:00", "2026-10-25T23:59:58", "2026-10-26T00:00:01"],
  ],
  [
    "a little out of order",
    "2026-10-25",
    ["10:00:05", "10:00:03"],
    ["2026-10-25T10:00:05", "2026-10-25T10:00:03"],
  ],
  ["a quiet day", "2026-10-25 00:00:01", ["23:59:59"], ["2026-10-25T23:59:59"]],
])(
  "lines that tell only their time are of the day that #Date and the times tell: %s",
  async (_, date, times, moments) => {
    const found = await momentsOf(date, times);
    expect(found.map((at) => at.slice(0, 19))).toEqual(moments);
  },
);

test("a #Date that is none, and a time that is none, are problems of their lines", async () => {
  expect(await momentsOf("2026-13-45", ["10:00:00", "09:00:00"])).toEqual([]);
  expect(await momentsOf("2026-10-25", ["10.00", "24:61:00"])).toEqual([]);
});
