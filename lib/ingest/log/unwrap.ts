import type { Wrapping } from "../../../contract/mapping.ts";
import { readObject } from "../formats/json-record.ts";
import { controlProblem } from "./control-character.ts";

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
/**
 * RFC 3164 and what daemons write to files: stamp, host (which daemons that write for themselves leave out), tag. A
 * colon that more of an address follows ends no tag: without one the line begins behind the host.
 */
const BSD_SYSLOG =
  /^(?:<\d{1,3}>)?(?:[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d|\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:?\d\d)) (?:\S*[^\s:] )?[^\s:[\]{}"']+(?:\[[^\]]*\])?:(?: |(?![0-9A-Fa-f:]))/;

function cri(line: string): Unwrapped {
  const match = CRI.exec(line) ?? BARE_CRI.exec(line);
  if (match === null) return { ok: false, reason: "has no prefix of a container runtime" };
  return { ok: true, text: line.slice(match[0].length), stream: match[1]!, isPart: match[2] === "P" };
}

/** A line of Docker's json-file driver: what was written, its line feed with it; without one it goes on in a later line. */
function docker(line: string): Unwrapped {
  const read = readObject(line);
  if (!read.ok) return { ok: false, reason: `${read.reason}, as Docker wraps it` };
  const { log, stream } = read.object;
  if (typeof log !== "string" || typeof stream !== "string")
    return { ok: false, reason: "is no line that Docker wrapped; expected an object with log and stream" };
  const text = log.replace(/\r?\n$/, "");
  // Escapes hide from whoever looks at the line as it stands.
  const control = controlProblem(text);
  if (control !== null) return { ok: false, reason: control };
  if (!text.isWellFormed()) return { ok: false, reason: "holds half of a character (a lone surrogate)" };
  return { ok: true, text, stream, isPart: !log.endsWith("\n") };
}

function syslog(line: string): Unwrapped {
  const match = SYSLOG.exec(line) ?? BSD_SYSLOG.exec(line);
  if (match === null) return { ok: false, reason: "has no header of syslog" };
  return { ok: true, text: line.slice(match[0].length), stream: "", isPart: false };
}

/** Takes the wrapping off a line. */
export function unwrap(line: string, wrapping: Wrapping): Unwrapped {
  if (wrapping === "cri") return cri(line);
  if (wrapping === "docker") return docker(line);
  if (wrapping === "syslog") return syslog(line);
  return { ok: true, text: line, stream: "", isPart: false };
}

/** The wrapping that most of some lines have. */
export function wrappingOf(lines: readonly string[]): Wrapping {
  const has = (wrapping: Wrapping) =>
    2 * lines.filter((line) => unwrap(line, wrapping).ok).length > lines.length;
  return (["cri", "docker", "syslog"] as const).find(has) ?? "none";
}
