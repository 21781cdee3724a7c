import { gzipSync, zstdCompressSync } from "node:zlib";
import fc from "fast-check";
import { expect, test } from "vitest";
import { importLog } from "../log/import-log.ts";
import { readHead, recognise } from "../log/recognise.ts";
import { readMapping } from "../log/request-mapper.ts";

/** What a request is known by: each writer below says it as its program does. */
interface Written {
  address: string;
  agent: string;
  /** Nanoseconds since 1970. */
  at: bigint;
  bytes: number;
}

interface Writer {
  id: string;
  /** The field that the agent is found in, and the one that has the bytes. */
  agent: string;
  bytes: string;
  /** Digits of a second that its stamps have. */
  digits: number;
  /** Characters that the program does not write as they are, nor so that they can be told. */
  without?: RegExp;
  header?: string;
  /** The zone of stamps that have none. */
  zone?: string;
  line(request: Written): string;
}

const START = 1_792_922_400n * 1_000_000_000n;
const two = (value: number) => String(value).padStart(2, "0");
const date = ({ at }: Written) => new Date(Number(at / 1_000_000n));
const behind = ({ at }: Written, digits: number) =>
  String(at % 1_000_000_000n)
    .padStart(9, "0")
    .slice(0, digits);
const seconds = (request: Written) => date(request).toISOString().slice(0, 19);
const iso = (request: Written, digits: number) =>
  digits === 0 ? `${seconds(request)}Z` : `${seconds(request)}.${behind(request, digits)}Z`;
const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const clf = (request: Written, zone = " +0000", digits = 0) => {
  const local = date({ ...request, at: request.at + (zone === " -0330" ? -12_600n * 1_000_000_000n : 0n) });
  const day = `${two(local.getUTCDate())}/${MONTHS[local.getUTCMonth()]}/${local.getUTCFullYear()}`;
  const fraction = digits === 0 ? "" : `.${behind(request, digits)}`;
  return `${day}:${local.toISOString().slice(11, 19)}${fraction}${zone}`;
};
const bracketed = (address: string) => (address.includes(":") ? `[${address}]` : address);

/** nginx: quotes, backslashes and what is no printable ASCII by their bytes. */
const asNginx = (text: string) =>
  [...Buffer.from(text)]
    .map((byte) =>
      byte < 32 || byte > 126 || byte === 34 || byte === 92
        ? `\\x${byte.toString(16).toUpperCase().padStart(2, "0")}`
        : String.fromCharCode(byte),
    )
    .join("");
/** Apache: the same, but quotes and backslashes behind a backslash. */
const asApache = (text: string) =>
  [...Buffer.from(text)]
    .map((byte) => {
      if (byte === 34 || byte === 92) return `\\${String.fromCharCode(byte)}`;
      return byte < 32 || byte > 126 ? `\\x${byte.toString(16).padStart(2, "0")}` : String.fromCharCode(byte);
    })
    .join("");

const TAIL = { agent: "http_user_agent", bytes: "body_bytes_sent", digits: 0 };
const tableOf = (delimiter: string): Writer => ({
  id: "csv",
  agent: "agent",
  bytes: "bytes",
  digits: 9,
  header: ["time", "client_ip", "agent", "bytes"].join(delimiter),
  line: (request) =>
    [iso(request, 9), request.address, request.agent, String(request.bytes)]
      .map((value) =>
        value.includes(delimiter) || value.includes('"') ? `"${value.replaceAll('"', '""')}"` : value,
      )
      .join(delimiter),
});

const WRITERS: Record<string, Writer> = {
  nginx: {
    id: "combined",
    ...TAIL,
    line: (r) => `${r.address} - - [${clf(r)}] "GET /a HTTP/1.1" 200 ${r.bytes} "-" "${asNginx(r.agent)}"`,
  },
  "nginx, fields behind": {
    id: "combined",
    ...TAIL,
    line: (r) =>
      `${r.address} - bob [${clf(r)}] "-" 400 ${r.bytes} "-" "${asNginx(r.agent)}" "192.0.2.9, ${r.address}" rt=0.1`,
  },
  Apache: {
    id: "combined",
    ...TAIL,
    line: (r) =>
      `${r.address} - a b [${clf(r, " -0330")}] "GET /a HTTP/1.1" 200 ${r.bytes} "-" "${asApache(r.agent)}"`,
  },
  "Apache, virtual host first": {
    id: "combined",
    ...TAIL,
    line: (r) =>
      `www.example.com:443 ${r.address} - - [${clf(r)}] "GET / HTTP/1.1" 200 ${r.bytes} "-" "${asApache(r.agent)}"`,
  },
  "nginx, a list of addresses first": {
    id: "combined",
    ...TAIL,
    line: (r) =>
      `${r.address}, 198.51.100.1 - - [${clf(r)}] "GET / HTTP/1.1" 200 ${r.bytes} "-" "${asNginx(r.agent)}"`,
  },
  "Envoy, text": {
    id: "envoy",
    agent: "user-agent",
    bytes: "bytes_sent",
    digits: 3,
    without: /["\\]/g,
    line: (r) =>
      `[${iso(r, 3)}] "GET /a HTTP/1.1" 200 - 0 ${r.bytes} 5 - "${r.address}, 10.0.0.1" "${r.agent}" "id" "a.com" "10.0.0.1:80"`,
  },
  "Envoy, JSON": {
    id: "envoy",
    agent: "user-agent",
    bytes: "bytes_sent",
    digits: 3,
    line: (r) =>
      JSON.stringify({
        start_time: iso(r, 3),
        response_code: 200,
        bytes_sent: r.bytes,
        "user-agent": r.agent,
        downstream_remote_address: `${bracketed(r.address)}:4711`,
      }),
  },
  "Traefik, JSON": {
    id: "traefik",
    agent: "request_User-Agent",
    bytes: "DownstreamContentSize",
    digits: 9,
    line: (r) =>
      JSON.stringify({
        ClientAddr: `${bracketed(r.address)}:1`,
        ClientHost: r.address,
        DownstreamContentSize: r.bytes,
        DownstreamStatus: 200,
        RequestMethod: "GET",
        "request_User-Agent": r.agent,
        StartUTC: iso(r, 9),
        time: iso(r, 0),
      }),
  },
  "Traefik, common log": {
    id: "traefik",
    agent: "agent",
    bytes: "bytes",
    digits: 0,
    without: /"/g,
    line: (r) =>
      `${r.address} - - [${clf(r)}] "GET /a HTTP/1.1" 200 ${r.bytes} "-" "${r.agent}" 7 "web@docker" "http://10.0.0.1" 2ms`,
  },
  Caddy: {
    id: "caddy",
    agent: "request.headers.User-Agent",
    bytes: "size",
    digits: 9,
    line: (r) =>
      `{"level":"info","ts":${r.at / 1_000_000_000n}.${behind(r, 9)},"logger":"http.log.access","request":${JSON.stringify(
        {
          client_ip: r.address,
          method: "GET",
          uri: "/a",
          headers: { "User-Agent": [r.agent] },
        },
      )},"size":${r.bytes}}`,
  },
  ALB: {
    id: "aws-alb",
    agent: "user_agent",
    bytes: "sent_bytes",
    digits: 6,
    without: /["\\]/g,
    line: (r) =>
      `h2 ${iso(r, 6)} app/web/0 ${bracketed(r.address)}:2817 - -1 -1 -1 404 - 5 ${r.bytes} "GET https://a.com:443/x HTTP/2.0" "${r.agent}" - - - "Root=1" "-" "-" 1 ${iso(r, 6)} "-" "-" "-"`,
  },
  CloudFront: {
    id: "cloudfront",
    agent: "cs(User-Agent)",
    bytes: "sc-bytes",
    digits: 0,
    header: "#Version: 1.0\n#Fields: date time x-edge-location sc-bytes c-ip cs(User-Agent)",
    line: (r) =>
      [...seconds(r).split("T"), "FRA60-P1", r.bytes, r.address, r.agent.replaceAll("\t", "")].join("\t"),
  },
  IIS: {
    id: "w3c",
    agent: "cs(User-Agent)",
    bytes: "sc-bytes",
    digits: 0,
    without: /[\s"]/gu,
    header: "#Software: IIS\n#Fields: date time c-ip cs(User-Agent) sc-bytes",
    line: (r) => [...seconds(r).split("T"), r.address, r.agent, r.bytes].join(" "),
  },
  "W3C, in quotes": {
    id: "w3c",
    agent: "cs(User-Agent)",
    bytes: "sc-bytes",
    digits: 0,
    header: "#Fields: date time c-ip cs(User-Agent) sc-bytes",
    line: (r) =>
      [...seconds(r).split("T"), r.address, `"${r.agent.replaceAll('"', '""')}"`, r.bytes].join(" "),
  },
  "API Gateway": {
    id: "api-gateway",
    agent: "userAgent",
    bytes: "responseLength",
    digits: 3,
    line: (r) =>
      JSON.stringify({
        requestId: "id",
        ip: r.address,
        requestTime: clf(r),
        requestTimeEpoch: String(r.at / 1_000_000n),
        httpMethod: "GET",
        responseLength: String(r.bytes),
        userAgent: r.agent,
      }),
  },
  "Google Cloud": {
    id: "gcp-load-balancer",
    agent: "httpRequest.userAgent",
    bytes: "httpRequest.responseSize",
    digits: 9,
    line: (r) =>
      JSON.stringify({
        httpRequest: {
          remoteIp: r.address,
          requestUrl: "https://a.com/",
          responseSize: String(r.bytes),
          userAgent: r.agent,
        },
        timestamp: iso(r, 9),
      }),
  },
  Cloudflare: {
    id: "cloudflare",
    agent: "ClientRequestUserAgent",
    bytes: "EdgeResponseBytes",
    digits: 9,
    line: (r) =>
      `{"ClientIP":"${r.address}","ClientRequestUserAgent":${JSON.stringify(r.agent)},"EdgeResponseBytes":${r.bytes},"EdgeStartTimestamp":${r.at},"RayID":"ray"}`,
  },
  Kong: {
    id: "kong",
    agent: "request.headers.user-agent",
    bytes: "response.size",
    digits: 3,
    line: (r) =>
      JSON.stringify({
        started_at: Number(r.at / 1_000_000n),
        client_ip: r.address,
        request: { uri: "/a", headers: { "user-agent": r.agent } },
        response: { size: r.bytes },
      }),
  },
  HAProxy: {
    id: "haproxy",
    agent: "request_headers",
    bytes: "bytes",
    digits: 3,
    without: /[{}"|#]/g,
    zone: "UTC",
    line: (r) =>
      `${r.address}:5000 [${clf(r, "", 3)}] fe~ be/srv 0/0/1/2/3 200 ${r.bytes} - - ---- 1/1/1/1/0 0/0 {${r.agent}} "GET /a HTTP/1.1" 0/0/0/0/0 a.com/TLSv1.3/TLS_AES`,
  },
  "JSON Lines": {
    id: "json-lines",
    agent: "a.agent",
    bytes: "bytes",
    digits: 9,
    line: (r) =>
      JSON.stringify({ time: iso(r, 9), client_ip: r.address, a: { agent: r.agent }, bytes: r.bytes }),
  },
  CSV: tableOf(","),
  "CSV of semicolons": tableOf(";"),
  TSV: tableOf("\t"),
  "CSV of bars": tableOf("|"),
};

/** How a line is wrapped: into one physical line, or several. */
const WRAPS: Record<string, (line: string, cuts: readonly number[]) => string[]> = {
  none: (line) => [line],
  cri: (line, cuts) => {
    const stamp = "2026-10-25T12:00:00.123456789+02:00 stdout";
    const characters = [...line];
    const places = [...new Set(cuts.map((cut) => cut % characters.length))].sort((a, b) => a - b);
    const parts = [0, ...places].map((from, at) => characters.slice(from, places[at]).join(""));
    return parts.map((part, at) => `${stamp} ${at + 1 < parts.length ? "P" : "F"} ${part}`);
  },
  docker: (line) => [JSON.stringify({ log: `${line}\n`, stream: "stdout", time: "2026-10-25T10:00:00Z" })],
  "RFC 3164": (line) => [`<134>Oct  5 10:00:00 lb app[12]: ${line}`],
  "RFC 3164 without host": (line) => [`<134>Oct 25 10:00:00 app[12]: ${line}`],
  "a daemon's file": (line) => [`2026-10-25T10:00:00.123456+02:00 lb app: ${line}`],
  "RFC 5424": (line) => [`<165>1 2026-10-25T10:00:00.003Z lb app - ID47 [x@1 k="a\\]b"] ${line}`],
};

const PACKS: Record<string, (bytes: Buffer) => Uint8Array> = {
  none: (bytes) => bytes,
  gzip: (bytes) => Buffer.concat([gzipSync(bytes.subarray(0, 40)), gzipSync(bytes.subarray(40))]),
  zstd: (bytes) =>
    Buffer.concat([zstdCompressSync(bytes.subarray(0, 40)), zstdCompressSync(bytes.subarray(40))]),
};

const address = fc.oneof(
  fc.ipV4(),
  fc
    .tuple(fc.integer({ min: 1, max: 0xffff }), fc.integer({ min: 1, max: 0xffff }))
    .map(([a, b]) => `2001:db8:${a.toString(16)}::${b.toString(16)}`),
);
const agent = fc
  .oneof(
    fc.string({ unit: "grapheme", minLength: 1, maxLength: 40 }),
    fc
      .array(
        fc.constantFrom(
          '"',
          "\\",
          " ",
          ",",
          ";",
          "|",
          "[",
          "]",
          "{",
          "}",
          "\\x22",
          "\\n",
          '" "',
          "-",
          "é",
          "\u{1f980}",
          "%20",
          "a",
          "#Fields:",
          "::1",
          "1.0",
        ),
        { minLength: 1, maxLength: 20 },
      )
      .map((parts) => parts.join("")),
  )
  // biome-ignore lint/suspicious/noControlCharactersInRegex: a name holds none (§1.4).
  .map((text) => text.replace(/[\u0000-\u001f\u007f]/g, ""));
const request = fc.record({
  address,
  agent,
  at: fc.bigInt({ min: 0n, max: 86_400_000_000_000n }).map((ns) => START + ns),
  bytes: fc.integer({ min: 1, max: 1_000_000_000 }),
});

/** What the stream has of its requests, by the log's lines. */
async function streamOf(bytes: Uint8Array, change: (proposal: Record<string, unknown>) => object) {
  const found = recognise(await readHead(bytes, true));
  if (found === null || !found.ok) throw new Error(found?.reason ?? "taken for the canonical stream");
  const mapping = readMapping(change(found.recognition.proposal as unknown as Record<string, unknown>));
  if (!mapping.ok) throw new Error(JSON.stringify(mapping.problems));
  let parts: Uint8Array[] = [];
  const spool = {
    clear: async () => {
      parts = [];
    },
    append: async (text: string) => void parts.push(Buffer.from(text)),
    chunks: async function* () {
      yield* parts;
    },
  };
  const open = async function* () {
    yield bytes;
  };
  const { summary, stream } = await importLog(open, mapping.value, spool);
  let text = "";
  for await (const part of stream) text += part;
  const rows = text.split("\n").flatMap((line) => (line.startsWith("{") ? [JSON.parse(line)] : []));
  return { id: found.recognition.format.id, summary, rows };
}

test.each(Object.entries(WRITERS))(
  "%s: whatever a program writes, however it is wrapped and packed, is read as what was meant",
  async (_, writer) => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(request, { minLength: 1, maxLength: 6 }),
        fc.constantFrom(...Object.keys(WRAPS)),
        fc.constantFrom(...Object.keys(PACKS)),
        fc.record({ ending: fc.constantFrom("\n", "\r\n"), isEnded: fc.boolean(), hasMark: fc.boolean() }),
        fc.array(fc.nat(), { maxLength: 3 }),
        async (raw, wrap, pack, { ending, isEnded, hasMark }, cuts) => {
          const requests = raw.map((own) => ({
            ...own,
            agent: own.agent.replace(writer.without ?? /$^/g, "").replace(/^(-|\*|[ -]*)$/, "agent"),
          }));
          const lines = [...(writer.header?.split("\n") ?? []), ...requests.map((own) => writer.line(own))];
          const physical = lines.flatMap((line) => WRAPS[wrap]!(line, cuts));
          const text = `${hasMark ? "\uFEFF" : ""}${physical.join(ending)}${isEnded ? ending : ""}`;
          const bytes = PACKS[pack]!(Buffer.from(text));
          const step = 10n ** BigInt(9 - writer.digits);
          const moments = requests.map(({ at }) => (at / step) * step);
          const start = moments.reduce((least, at) => (at < least ? at : least));
          const expected = (tenant: (own: Written) => string) =>
            requests.map((own, at) => [tenant(own), Number((moments[at]! - start) / 1_000_000n), own.bytes]);
          const read = async (tenant: object | null) => {
            const { id, summary, rows } = await streamOf(bytes, (proposal) => ({
              ...proposal,
              arrival: { ...(proposal.arrival as object), ...(writer.zone ? { zone: writer.zone } : {}) },
              tenant: tenant ?? proposal.tenant,
              cost: { by: "field", field: writer.bytes },
            }));
            expect(id).toBe(writer.id);
            expect(summary.problems).toEqual([]);
            expect(summary.lines).toBe(physical.length);
            return rows.map((row) => [row.tenant, row.arrival_ms, row.cost]);
          };
          expect(await read({ by: "field", field: writer.agent })).toEqual(expected((own) => own.agent));
          expect(await read(null)).toEqual(expected((own) => own.address));
        },
      ),
      { numRuns: 60 },
    );
  },
  60_000,
);
