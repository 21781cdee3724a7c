import type { ArrivalMapping, TenantMapping } from "../../../contract/mapping.ts";
import type { Format, LineReader } from "./format.ts";
import { escapesIn, TemplateReader, templateText } from "./log-template.ts";

const COMMON = '$remote_addr $ident $remote_user [$time_local] "$request" $status $body_bytes_sent';
const COMBINED = `${COMMON} "$http_referer" "$http_user_agent"`;
const STAMP = /^(.*?) \[\d\d\/[A-Z][a-z]{2}\/\d{4}:\d\d:\d\d:\d\d(?:\.\d+)?(?: [+-]\d{4})?\] "/;
/** Behind the stamp of a combined line: request, status, bytes, referrer, agent. */
const QUOTED = '"(?:[^"\\\\]|\\\\.)*"';
const COMBINED_TAIL = new RegExp(`\\] ${QUOTED} \\S+ \\S+ ${QUOTED} ${QUOTED}(?: |$)`);

/** Addresses that stand first as a list, as `X-Forwarded-For` has them; behind a virtual host, too. */
const LIST = /^(?:\S+ )?(?:[^\s,"[]+, )+/;

/** Templates of the family, the fuller ones first. */
const TEMPLATES = [`$host ${COMBINED}`, COMBINED, `$host ${COMMON}`, COMMON];

/** Which of the templates a line is of; -1 for none. */
function templateOf(line: string): number {
  const before = STAMP.exec(line)?.[1]?.split(" ");
  if (before === undefined || before.length < 3) return -1;
  // A virtual host stands first where an address comes second; the user may have spaces of its own.
  const hasHost = before.length >= 4 && /^[0-9a-fA-F:.]*[:.][0-9a-fA-F:.,]*$/.test(before[1]!);
  return (COMBINED_TAIL.test(line) ? 0 : 2) + (hasHost ? 0 : 1);
}

/** The common and the combined log of nginx and Apache: each line tells by itself which of the forms it has. */
class CommonLogReader implements LineReader {
  private readonly readers = TEMPLATES.map((template) => new TemplateReader(template, { hasRest: true }));
  /** Templates met so far, the last one first: a log mostly keeps one. */
  private readonly met = new Set<number>();

  read(written: string) {
    // Spaces part the columns: a list with spaces of its own would be several of them.
    const line = written.replace(LIST, (list) => list.replaceAll(", ", ","));
    const found = templateOf(line);
    const nth = found < 0 ? TEMPLATES.length - 1 : found;
    this.met.add(nth);
    return this.readers[nth]!.read(line);
  }

  fields(): string[] {
    return [...new Set([...this.met].flatMap((nth) => this.readers[nth]!.fields()))];
  }
}

/** A name with a domain; a word alone is rather something that stands where no address does. */
const HOST_NAME = /^[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)*\.[A-Za-z][A-Za-z0-9-]*\.?$/;

/** The tenant and arrival of logs that call them as nginx does; where a server looks names up, a name is the tenant. */
function nginxDefaults(fields: readonly string[], example: (field: string) => string | null) {
  const address = ["remote_addr", "realip_remote_addr", "http_x_forwarded_for"].find((name) =>
    fields.includes(name),
  );
  const isName = address !== undefined && HOST_NAME.test(example(address) ?? "");
  const tenant: TenantMapping | null =
    address === undefined ? null : { by: isName ? "field" : "address", field: address };
  return { tenant, arrival: nginxArrival(fields) };
}

function nginxArrival(fields: readonly string[]): ArrivalMapping | null {
  // The finest stamp first.
  if (fields.includes("msec")) return { field: "msec", unit: "s" };
  if (fields.includes("time_iso8601")) return { field: "time_iso8601", unit: "iso" };
  if (fields.includes("time_local")) return { field: "time_local", unit: "clf" };
  return null;
}

/** nginx and Apache: common, combined, with the virtual host first, with further fields behind. */
export const commonLog: Format = {
  id: "combined",
  title: "nginx or Apache, common or combined",
  notes: ["nginx stamps a request when it has been answered, Apache when it arrives; both to the second."],
  recognise: (lines) => (lines.some((line) => templateOf(line) >= 0) ? { id: "combined" } : null),
  open: () => new CommonLogReader(),
  defaults: nginxDefaults,
};

/** nginx with a `log_format` of its own; never recognised by itself, its format must be told. */
export const nginxFormat: Format = {
  id: "nginx",
  title: "nginx, own log_format",
  notes: ["nginx stamps a request when it has been answered."],
  recognise: () => null,
  open: ({ log_format }) =>
    new TemplateReader(templateText(log_format ?? ""), { escapes: escapesIn(log_format ?? "") }),
  defaults: nginxDefaults,
};
