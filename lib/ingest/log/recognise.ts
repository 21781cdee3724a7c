import { ARRIVAL_MAX_MS } from "../../../contract/limits.ts";
import type {
  ArrivalSpread,
  FormatSpec,
  LogField,
  LogPreview,
  Mapping,
  MappingProposal,
  Packing,
  PreviewRow,
  RecogniseResult,
  Recognition,
  Wrapping,
} from "../../../contract/mapping.ts";
import { readExactLine } from "../exact-line.ts";
import { FORMATS } from "../formats/catalog.ts";
import type { Format, LogRecord } from "../formats/format.ts";
import { hasZone } from "../formats/stamp-unit.ts";
import { ArchiveProblem, packingOf, unpacked } from "./archive.ts";
import { ArrivalDays } from "./arrival-days.ts";
import { boundedLines, type LineBlock, linesIn } from "./bounded-lines.ts";
import { elapsedMs, type Instant } from "./imported-line.ts";
import { clip, LineImporter } from "./line-importer.ts";
import { isoText } from "./stamp.ts";
import { unwrap, wrappingOf } from "./unwrap.ts";

/** Lines that are looked at, of the head of a log. */
const LINES_SEEN = 400;
const HEAD_BYTES = 512 * 1024;
/** Lines that one record of them spans at most. */
const RECORD_LINES = 20;
const EXAMPLE_CHARACTERS = 80;
const EMPTY = /^[ \t\r]*$/;
const BOM = "\uFEFF";

/** The head of a log without its packing. */
export interface LogHead {
  packing: Packing;
  blocks: LineBlock[];
}

/**
 * Unpacks the first bytes of a log.
 * @param isWhole whether these are all its bytes: otherwise the last line is incomplete, and an archive must end early
 */
export async function readHead(bytes: Uint8Array, isWhole: boolean): Promise<LogHead> {
  const packing = packingOf(bytes);
  const chunks: Uint8Array[] = [];
  let length = 0;
  let isCut = !isWhole;
  try {
    for await (const chunk of unpacked(
      (async function* () {
        yield bytes;
      })(),
      packing,
    )) {
      chunks.push(chunk);
      length += chunk.length;
      if (length <= HEAD_BYTES) continue;
      isCut = true;
      break;
    }
  } catch (error) {
    if (!(error instanceof ArchiveProblem) || isWhole) throw error;
  }
  const head = Buffer.concat(chunks);
  const end = isCut ? head.lastIndexOf(10) + 1 : head.length;
  const blocks: LineBlock[] = [];
  for await (const block of boundedLines(
    (async function* () {
      yield new Uint8Array(head.subarray(0, end === 0 ? head.length : end));
    })(),
  ))
    blocks.push(block);
  return { packing, blocks };
}

function textLines({ blocks }: LogHead): string[] {
  const lines = blocks.flatMap((block) => (block.kind === "lines" ? linesIn(block.bytes) : []));
  return lines
    .filter((line) => typeof line === "string")
    .map((line, at) => (at === 0 && line.startsWith(BOM) ? line.slice(1) : line).replace(/\r$/, ""))
    .filter((line) => !EMPTY.test(line))
    .slice(0, LINES_SEEN);
}

/** Lines without their wrapping, those put together that were written in parts. */
function bareLines(lines: readonly string[], wrapping: Wrapping): string[] {
  const begun = new Map<string, string>();
  return lines.flatMap((line) => {
    const found = unwrap(line, wrapping);
    if (!found.ok) return [];
    const text = (begun.get(found.stream) ?? "") + found.text;
    if (found.isPart) begun.set(found.stream, text);
    else begun.delete(found.stream);
    return found.isPart || EMPTY.test(text) ? [] : [text];
  });
}

/** How a format fares with some lines. */
interface Trial {
  format: Format;
  spec: FormatSpec;
  records: LogRecord[];
  /** Lines that are records, or belong to the format as headers do. */
  read: number;
  fields: string[];
}

function tryFormat(format: Format, spec: FormatSpec, lines: readonly string[]): Trial {
  const reader = format.open(spec);
  const records: LogRecord[] = [];
  let read = 0;
  let taken = 1;
  for (let at = 0; at < lines.length; ) {
    const reading = reader.read(lines.slice(at, at + taken).join("\n"));
    if (reading.kind === "more" && taken < RECORD_LINES && at + taken < lines.length) {
      taken += 1;
      continue;
    }
    const isRead = reading.kind === "record" || reading.kind === "none";
    if (isRead) read += taken;
    if (reading.kind === "record") records.push(reading.record);
    at += isRead ? taken : 1;
    taken = 1;
  }
  return { format, spec, records, read, fields: reader.fields() };
}

/** The fields of §1.3 that a line needs beside its arrival to be taken for a line of the canonical stream. */
const OTHER_FIELDS = ["req_id", "tenant", "cost", "mode"];
const OTHERS_NEEDED = 2;

/** Whether a line is one of the canonical stream, or a bad one: then what is wrong with it is told, not how a log is read. */
function isMeantCanonical(line: string): boolean {
  if (readExactLine(line).ok) return true;
  try {
    const value: unknown = JSON.parse(line);
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, "arrival_ms")) return false;
    return OTHER_FIELDS.filter((field) => Object.hasOwn(value, field)).length >= OTHERS_NEEDED;
  } catch {
    return false;
  }
}

const isCanonical = (lines: readonly string[]): boolean =>
  2 * lines.filter(isMeantCanonical).length > lines.length;

const shortened = (text: string): string =>
  text.length > EXAMPLE_CHARACTERS ? `${text.slice(0, EXAMPLE_CHARACTERS)}…` : text;

function exampleIn(records: readonly LogRecord[]): (field: string) => string | null {
  return (field) => {
    for (const record of records) {
      const value = record.value(field);
      if (value !== null) return value;
    }
    return null;
  };
}

/** What the log itself does not say and somebody must. */
function asksOf(proposal: MappingProposal, example: (field: string) => string | null): string[] {
  const asks: string[] = [];
  const { tenant, arrival } = proposal;
  if (tenant === null) asks.push("State which field is the tenant.");
  if (arrival === null) asks.push("State which field is the arrival, and its unit.");
  else if (arrival.zone === undefined && !hasZone(example(arrival.field) ?? ""))
    asks.push(`State the time zone of ${arrival.field}: its stamps have none.`);
  return asks;
}

function proposalFor(
  { format, fields }: Trial,
  spec: FormatSpec,
  example: (field: string) => string | null,
): MappingProposal {
  return {
    version: 1,
    format: spec,
    ...format.defaults(fields, example),
    cost: { by: "constant", cost: 1 },
    mode: { by: "constant", mode: "soft" },
    req_id: { by: "line" },
  };
}

function recognition(
  best: Trial,
  lines: readonly string[],
  head: LogHead,
  wrapping: ReturnType<typeof wrappingOf>,
): Recognition {
  const spec = wrapping === "none" ? best.spec : { ...best.spec, unwrap: wrapping };
  const example = exampleIn(best.records);
  const proposal = proposalFor(best, spec, example);
  const fields: LogField[] = best.fields.map((name) => {
    const value = example(name);
    return { name, example: value === null ? null : shortened(value) };
  });
  const wrapped = {
    none: "",
    cri: ", wrapped by a container runtime",
    docker: ", wrapped by Docker",
    syslog: ", wrapped by syslog",
  }[wrapping];
  return {
    format: spec,
    title: best.format.title + wrapped,
    notes: best.format.notes,
    packing: head.packing,
    lines_seen: lines.length,
    lines_read: best.read,
    fields,
    proposal,
    asks: asksOf(proposal, example),
  };
}

/**
 * What a log is, by the content of its head: the format that reads most of its lines, at least half of them. Null for
 * the canonical stream, which needs no mapping.
 * @param wanted only this format, and if it reads but one line
 */
export function recognise(head: LogHead, wanted?: FormatSpec): RecogniseResult | null {
  const lines = textLines(head);
  if (lines.length === 0) return { ok: false, reason: noLines(head) };
  if (wanted === undefined && isCanonical(lines)) return null;
  const wrapping = wanted?.unwrap ?? wrappingOf(lines);
  const bare = bareLines(lines, wrapping);
  const trials = FORMATS.flatMap((format) => {
    if (wanted !== undefined && format.id !== wanted.id) return [];
    const spec = wanted ?? format.recognise(bare);
    return spec === null ? [] : [tryFormat(format, { ...format.recognise(bare), ...spec }, bare)];
  });
  const best = trials.reduce<Trial | null>(
    (found, trial) => (found === null || trial.read > found.read ? trial : found),
    null,
  );
  // Whoever states the format knows what stands between its lines: there each of them is a problem that is listed.
  const isMost = best !== null && (wanted !== undefined || 2 * best.read >= bare.length);
  if (best === null || best.records.length === 0 || best.fields.length === 0 || !isMost)
    return { ok: false, reason: refusal(best, bare.length) };
  return { ok: true, recognition: recognition(best, bare, head, wrapping) };
}

/** Why there is no line to look at: there is nothing, or nothing of it is a line of text. */
const noLines = ({ blocks }: LogHead): string =>
  blocks.every(
    (block) => block.kind === "lines" && linesIn(block.bytes).every((line) => typeof line === "string"),
  )
    ? "is empty: there is no line to recognise a format by"
    : "is no text: none of its first lines is UTF-8 of a length that a line has";

const refusal = (best: Trial | null, lines: number): string =>
  best === null || best.read === 0 || best.fields.length === 0
    ? "is no access log that is known here: none of the formats reads a line of it"
    : `is no access log that is known here: the nearest, ${best.format.title}, reads ${best.read} of the first ${lines} lines`;

/** Whether requests are too far apart for one round (§1.3); null where they are not. */
function spreadOf(arrivals: readonly { at: Instant; line: number }[]): ArrivalSpread | null {
  const days = new ArrivalDays();
  for (const { at, line } of arrivals) days.add(at, line);
  const { first } = days;
  if (first === null) return null;
  const beyond = arrivals.filter(({ at }) => elapsedMs(first.at, at) > ARRIVAL_MAX_MS).length;
  return beyond === 0 ? null : days.spread(beyond);
}

/** The first lines of a log as requests or problems, under a mapping that `readMapping` accepted. */
export function previewLog(head: LogHead, mapping: Mapping, most: number): LogPreview {
  const rows: PreviewRow[] = [];
  const arrivals: { at: Instant; line: number }[] = [];
  const add = (row: PreviewRow) => {
    if (rows.length < most) rows.push(row);
  };
  const importer = new LineImporter(mapping, {
    request: (line, { reqId, tenant, arrived, cost, isSoft }, text) => {
      const mode = isSoft ? "soft" : "hard";
      arrivals.push({ at: arrived, line });
      add({
        line,
        text: clip(text),
        outcome: { ok: true, req_id: reqId, tenant, arrived_at: isoText(arrived), cost, mode },
      });
    },
    problem: ({ line, field, reason, text }) => add({ line, text, outcome: { ok: false, field, reason } }),
    other: () => {},
  });
  for (const block of head.blocks) importer.block(block);
  importer.end();
  return { rows, spread: spreadOf(arrivals) };
}
