import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { FORMAT_IDS } from "../../../contract/log-formats.ts";
import { previewLog, readHead, recognise } from "../log/recognise.ts";
import { readMapping } from "../log/request-mapper.ts";
import { FORMATS } from "./catalog.ts";

const sample = (name: string) => readFileSync(new URL(`samples/${name}`, import.meta.url));

/** Each sample with what its lines become: tenant and time, or the part of the mapping at fault and a part of why. */
const SAMPLES: [file: string, id: string, rows: [line: number, what: string, detail: string][]][] = [
  [
    "json-lines.jsonl",
    "json-lines",
    [
      [1, "north", "10:00:00.250000000Z"],
      [2, "south", "10:00:00.000000000Z"],
      [3, "!", "has the key customer twice"],
      [4, "!tenant", "the line has no customer"],
    ],
  ],
  [
    "csv.csv",
    "csv",
    [
      [2, "north", "10:00:00.000000000Z"],
      [3, "south, inc.", "10:00:01.000000000Z"],
      [5, "!", "opens a quote that is not closed"],
      [6, "north", "10:00:03.000000000Z"],
      [7, "!", "has 2 columns; expected 4"],
    ],
  ],
  [
    "csv.tsv",
    "csv",
    [
      [2, "192.0.2.1", "10:00:00.000000000Z"],
      [3, "2001:db8::1", "10:00:01.000000000Z"],
    ],
  ],
  [
    "combined.log",
    "combined",
    [
      [1, "192.0.2.1", "10:00:00.000000000Z"],
      [2, "192.0.2.2", "10:00:01.000000000Z"],
      [3, "2001:db8::1", "10:00:02.000000000Z"],
      [4, "192.0.2.3", "10:00:03.000000000Z"],
      [5, "192.0.2.4", "10:00:04.000000000Z"],
      [6, "!", "does not fit the format"],
      [7, "!arrival", "is no time of the calendar"],
    ],
  ],
  [
    "docker.log",
    "combined",
    [
      [1, "192.0.2.1", "10:00:00.000000000Z"],
      [2, "192.0.2.2", "10:00:01.000000000Z"],
      [3, "!", "does not fit the format"],
      [5, "2001:db8::1", "10:00:02.000000000Z"],
      [6, "!", "holds the control character U+001B"],
      [7, "!", "is no JSON; expected one object a line, as Docker wraps it"],
      [9, "192.0.2.5", "10:00:05.000000000Z"],
      [10, "!", "is a part of a line whose rest never comes"],
    ],
  ],
  [
    "envoy.log",
    "envoy",
    [
      [1, "192.0.2.1", "10:00:00.100000000Z"],
      [2, "2001:db8::7", "10:00:00.200000000Z"],
      [3, "203.0.113.9", "10:00:00.300000000Z"],
    ],
  ],
  [
    "traefik.log",
    "traefik",
    [
      [1, "192.0.2.1", "10:00:00.587782192Z"],
      [2, "2001:db8::2", "10:00:00.587782191Z"],
    ],
  ],
  [
    "traefik-clf.log",
    "traefik",
    [
      [1, "192.0.2.1", "10:00:00.000000000Z"],
      [2, "192.0.2.2", "10:00:01.000000000Z"],
    ],
  ],
  [
    "caddy.jsonl",
    "caddy",
    [
      [1, "192.0.2.1", "10:00:00.123456700Z"],
      [2, "2001:db8::1", "10:00:00.500000000Z"],
    ],
  ],
  [
    "aws-alb.log",
    "aws-alb",
    [
      [1, "192.0.2.1", "10:00:00.463821000Z"],
      [2, "2001:db8::1", "10:00:01.000000000Z"],
    ],
  ],
  [
    "cloudfront.log",
    "cloudfront",
    [
      [3, "192.0.2.1", "10:00:00.000000000Z"],
      [4, "2001:db8::1", "10:00:01.000000000Z"],
    ],
  ],
  [
    "w3c.log",
    "w3c",
    [
      [5, "192.0.2.1", "10:00:00.000000000Z"],
      [7, "192.0.2.2", "10:00:01.000000000Z"],
      [8, "!", "has 4 columns; #Fields names 5"],
    ],
  ],
  [
    "api-gateway.jsonl",
    "api-gateway",
    [
      [1, "192.0.2.1", "10:00:00.000000000Z"],
      [2, "2001:db8::1", "10:00:02.000000000Z"],
    ],
  ],
  [
    "gcp-load-balancer.jsonl",
    "gcp-load-balancer",
    [
      [1, "192.0.2.1", "10:00:00.123456789Z"],
      [2, "2001:db8::1", "10:00:00.123456788Z"],
    ],
  ],
  [
    "cloudflare.jsonl",
    "cloudflare",
    [
      [1, "192.0.2.1", "10:00:00.123456789Z"],
      [2, "2001:db8::1", "10:00:00.123456790Z"],
    ],
  ],
  [
    "kong.jsonl",
    "kong",
    [
      [1, "192.0.2.1", "10:00:00.342000000Z"],
      [2, "2001:db8::1", "10:00:00.341000000Z"],
    ],
  ],
  [
    "haproxy.log",
    "haproxy",
    [
      [1, "192.0.2.1", "10:00:00.655000000Z"],
      [2, "2001:db8::1", "10:00:01.001000000Z"],
    ],
  ],
];

test.each(SAMPLES)("%s is recognised as %s and read line by line", async (file, id, expected) => {
  const head = await readHead(sample(file), true);
  const found = recognise(head);
  if (found === null || !found.ok) throw new Error(found?.reason ?? "taken for the canonical stream");
  const { proposal, asks } = found.recognition;
  expect(proposal.format.id).toBe(id);
  // HAProxy alone does not say in which zone its stamps are.
  expect(asks).toHaveLength(id === "haproxy" ? 1 : 0);
  const arrival = id === "haproxy" ? { ...proposal.arrival, zone: "UTC" } : proposal.arrival;
  const mapping = readMapping({ ...proposal, arrival });
  if (!mapping.ok) throw new Error(JSON.stringify(mapping.problems));
  const rows = previewLog(head, mapping.value, 100).rows.map(({ line, outcome }) =>
    outcome.ok ? [line, outcome.tenant, outcome.arrived_at] : [line, `!${outcome.field}`, outcome.reason],
  );
  expect(rows).toEqual(
    expected.map(([line, what, detail]) => [
      line,
      what,
      what.startsWith("!") ? expect.stringContaining(detail) : `2026-10-25T${detail}`,
    ]),
  );
});

test("every format has a sample, but the one whose format must be told", () => {
  const sampled = new Set(SAMPLES.map(([, id]) => id));
  expect(FORMAT_IDS.filter((id) => !sampled.has(id))).toEqual(["canonical", "nginx"]);
  expect(new Set(FORMATS.map(({ id }) => id))).toEqual(
    new Set(FORMAT_IDS.filter((id) => id !== "canonical")),
  );
});

test("the canonical stream is recognised as what needs no mapping", async () => {
  expect(recognise(await readHead(sample("canonical.jsonl"), true))).toBeNull();
});

test.each([
  [
    "a log of a program",
    "2026-10-25 10:00:00,672:DEBUG:foo bar baz\r\n2026-10-25 10:00:01,344:WARN:foo bar baz\r\n",
  ],
  ["markup", "<a>\n  <b>c</b>\n</a>\n"],
  ["prose", "It was a dark, stormy night.\nThe rain fell, in torrents.\n"],
  ["nothing", ""],
  ["only empty lines", "\n\r\n \n"],
  ["random bytes", "\u0000\u0001\u0002\n\u0003"],
])("%s is refused by saying so", async (_, text) => {
  const found = recognise(await readHead(Buffer.from(text), true));
  expect(found).toMatchObject({ ok: false, reason: expect.stringMatching(/is no access log|is empty/) });
});

test("each format's fields are there in its records", async () => {
  for (const [file, id] of SAMPLES) {
    const found = recognise(await readHead(sample(file), true));
    if (found === null || !found.ok) throw new Error(file);
    const named = found.recognition.fields.filter(({ example }) => example !== null);
    expect(named.length, id).toBeGreaterThanOrEqual(2);
  }
});

test("what Caddy's other loggers write between holds no request, whatever its fields", async () => {
  const access = sample("caddy.jsonl").toString().trimEnd();
  const others = [
    '{"level":"debug","ts":1792922400.6,"logger":"http.handlers.reverse_proxy","msg":"selected upstream","dial":"a:1"}',
    '{"level":"error","ts":1792922400.7,"logger":"http.log.error","msg":"dial tcp","request":{"remote_ip":"192.0.2.1","method":"GET","uri":"/"}}',
    '{"level":"info","ts":1792922400.8,"logger":"http.log.accessories","msg":"x","request":{"remote_ip":"192.0.2.1"}}',
  ];
  const named = access.replace('"http.log.access"', '"http.log.access.log0"');
  const head = await readHead(Buffer.from([named, ...others].join("\n")), true);
  const found = recognise(head);
  if (found === null || !found.ok) throw new Error(found?.reason ?? "taken for the canonical stream");
  const mapping = readMapping(found.recognition.proposal);
  if (!mapping.ok) throw new Error(JSON.stringify(mapping.problems));
  expect(previewLog(head, mapping.value, 100).rows.map(({ line, outcome }) => [line, outcome.ok])).toEqual([
    [1, true],
    [2, true],
  ]);
});
