import type { Wrapping } from "../../../contract/mapping.ts";

/** A line without its wrapping; `isPart`: the rest of it is to come in a later line of the same `stream`. */
export type Unwrapped =
  | { ok: true; text: string; stream: string; isPart: boolean }
  | { ok: false; reason: string };

/** What container runtimes write before a line: stamp, stream, whether it is Full or Partial. */
const CRI =
  /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:?\d\d) (stdout|stderr) ([PF])(?::[^ ]*)* /;
const BARE_CRI = /^\d{4}-\d\d-\d\dT\S+ (stdout|stderr) ([PF])$/;
/** RFC 5424: priority, version, stamp, host, app, process, message id, structured data. */
const SYSLOG = /^<\d{1,3}>\d{1,2} \S+ \S+ \S+ \S+ \S+ (?:-|(?:\[(?:[^\]\\]|\\.)*\])+)(?: \uFEFF?|$)/;
/** RFC 3164 and what daemons write to files: stamp, host, tag. */
const BSD_SYSLOG =
  /^(?:<\d{1,3}>)?(?:[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d|\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:?\d\d)) \S+ [^\s:[\]]+(?:\[[^\]]*\])?: ?/;

function cri(line: string): Unwrapped {
  const match = CRI.exec(line) ?? BARE_CRI.exec(line);
  if (match === null) return { ok: false, reason: "has no prefix of a container runtime" };
  return { ok: true, text: line.slice(match[0].length), stream: match[1]!, isPart: match[2] === "P" };
}

function syslog(line: string): Unwrapped {
  const match = SYSLOG.exec(line) ?? BSD_SYSLOG.exec(line);
  if (match === null) return { ok: false, reason: "has no header of syslog" };
  return { ok: true, text: line.slice(match[0].length), stream: "", isPart: false };
}

/** Takes the wrapping off a line. */
export function unwrap(line: string, wrapping: Wrapping): Unwrapped {
  if (wrapping === "cri") return cri(line);
  if (wrapping === "syslog") return syslog(line);
  return { ok: true, text: line, stream: "", isPart: false };
}

/** The wrapping that most of some lines have. */
export function wrappingOf(lines: readonly string[]): Wrapping {
  const has = (wrapping: Wrapping) =>
    2 * lines.filter((line) => unwrap(line, wrapping).ok).length > lines.length;
  return has("cri") ? "cri" : has("syslog") ? "syslog" : "none";
}
