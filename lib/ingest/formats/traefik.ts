import type { Format, LineReader, LineReading } from "./format.ts";
import { JsonReader, objectsOf } from "./json-format.ts";
import type { Aliases, JsonRecord } from "./json-record.ts";
import { TemplateReader } from "./log-template.ts";

const ALIASES: Aliases = new Map([
  ["time", ["StartUTC", "StartLocal", "time"]],
  ["address", ["ClientHost", "ClientAddr"]],
  ["user", ["ClientUsername"]],
  ["host", ["RequestHost", "RequestAddr"]],
  ["method", ["RequestMethod"]],
  ["path", ["RequestPath"]],
]);
/** Traefik's common log is the combined one with four fields of its own behind; Traefik escapes nothing in it. */
const TEMPLATE =
  // biome-ignore lint/suspicious/noTemplateCurlyInString: that is how nginx writes a variable before a letter.
  '$address - $user [$time] "$request" $status $bytes "$referer" "$agent" $count "$router" "$server" ${duration_ms}ms';
const STAMP = /\[\d\d\/[A-Z][a-z]{2}\/\d{4}:[^\]]*\] "/;
const CLF_TAIL = /" \d+ "[^"]*" "[^"]*" \d+ms$/;
const isClf = (line: string): boolean => CLF_TAIL.test(line) && STAMP.test(line);

const isAccess = (record: JsonRecord): boolean =>
  record.has("RequestMethod") || record.has("DownstreamStatus");

class TraefikReader implements LineReader {
  // Traefik writes what else it says to the same place, often as JSON too.
  private readonly json = new JsonReader(ALIASES, (record) => !isAccess(record));
  private readonly text = new TemplateReader(TEMPLATE, { escapes: "none" });
  private hasText = false;

  read(line: string): LineReading {
    if (line.startsWith("{")) return this.json.read(line);
    this.hasText = true;
    return this.text.read(line);
  }

  fields(): string[] {
    return [...new Set([...this.json.fields(), ...(this.hasText ? this.text.fields() : [])])];
  }
}

const isMarked = (lines: readonly string[]): boolean => {
  const objects = objectsOf(lines, ALIASES);
  const marked = objects.filter((object) => object.has("RequestMethod") && object.has("DownstreamStatus"));
  return marked.length > 0 && 2 * marked.length >= objects.length;
};

/** Traefik, as JSON or in its common log format. */
export const traefik: Format = {
  id: "traefik",
  title: "Traefik, JSON or common log",
  notes: ["Traefik stamps a request when it arrives."],
  recognise: (lines) => (isMarked(lines) || lines.some(isClf) ? { id: "traefik" } : null),
  open: () => new TraefikReader(),
  defaults: (_, example) => ({
    tenant: { by: "address", field: "address" },
    arrival: { field: "time", unit: example("time")?.includes("/") === true ? "clf" : "iso" },
  }),
};
