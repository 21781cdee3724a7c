import { FORMAT_IDS, type FormatId } from "../../../contract/log-formats.ts";
import type { ImportSummary, Mapping } from "../../../contract/mapping.ts";
import type { Reading } from "../../../contract/request.ts";
import type { RoundProblem } from "../../../contract/round-view.ts";
import { ArchiveProblem, packingOf } from "../../ingest/log/archive.ts";
import { readMapping } from "../../ingest/log/request-mapper.ts";
import { stretchProblems } from "../../ingest/log/stretch.ts";
import { FileProblem } from "../../store/file-problem.ts";
import { problemLine, streamUnavailable } from "../round-problem.ts";
import { importStream } from "./import-stream.ts";
import { headOf, loadMapping, recogniseHead } from "./recognise-log.ts";

/** A log on this machine, and how it is to be read. */
export interface ImportFile {
  log: string;
  /** Where the canonical stream is written. */
  out: string;
  /** Only as this format; absent: as what it is recognised for. */
  format?: string | undefined;
  /** A file with its mapping; absent: the one proposed for its format, where that leaves nothing open. */
  map?: string | undefined;
  /** The stretch of time that is imported, in place of the mapping's: from a stamp on, up to another. */
  from?: string | undefined;
  to?: string | undefined;
  reading: Reading;
  /** Whether a canonical stream is written too, though it is one already. */
  copyCanonical: boolean;
}

/** What was done, or why not: `status` 3 where the mapping is unavailable, 2 where the log is. */
export type ImportFileResult =
  | { kind: "imported"; summary: ImportSummary; title: string; notes: string[] }
  /** The log is the canonical stream as it is: nothing was written. */
  | { kind: "canonical" }
  /** It is no log that is known here; a reader of the canonical stream may say more. */
  | { kind: "unknown"; reason: string }
  | {
      kind: "refused";
      problem: RoundProblem;
      summary: ImportSummary | null;
      /** Whether the log itself cannot be read at all. */
      isMissing: boolean;
    };

/** How a log is to be read: its mapping (null: it is the canonical stream), or a problem. */
type Plan =
  | { ok: true; mapping: Mapping | null; isPacked: boolean; title: string; notes: string[] }
  | { ok: false; problem: RoundProblem }
  | { ok: false; unknown: string };

const unmapped = (message: string): Plan => ({
  ok: false,
  problem: { message, status: 3, documents: [], lines: [], line_count: 0 },
});

function isFormat(id: string): id is FormatId {
  return (FORMAT_IDS as readonly string[]).includes(id);
}

async function planFrom({ log, format, map }: ImportFile): Promise<Plan> {
  if (map !== undefined) {
    const read = await loadMapping(map);
    if (!read.ok) return unmapped(`Mapping unavailable: ${read.problems.map(problemLine).join("; ")}`);
    if (format !== undefined && format !== read.value.format.id)
      return unmapped(`Mapping unavailable: ${map} is for the format ${read.value.format.id}, not ${format}`);
    return { ok: true, mapping: read.value, isPacked: false, title: read.value.format.id, notes: [] };
  }
  if (format !== undefined && !isFormat(format))
    return unmapped(`Format unavailable: ${format} is none; expected one of ${FORMAT_IDS.join(", ")}`);
  if (format === "nginx")
    return unmapped("Format unavailable: nginx needs a mapping (--map) that holds its log_format");
  const head = await headOf(log);
  const isPacked = packingOf(head.bytes) !== "none";
  const canonical: Plan = { ok: true, mapping: null, isPacked, title: "canonical stream", notes: [] };
  if (format === "canonical") return canonical;
  const found = await recogniseHead(head, format === undefined ? undefined : { id: format });
  if (found.kind === "canonical") return canonical;
  if (found.kind === "unreadable") return { ok: false, problem: streamUnavailable(log, found.reason) };
  if (!found.result.ok) return { ok: false, unknown: found.result.reason };
  const { proposal, asks, title, notes } = found.result.recognition;
  if (asks.length > 0)
    return unmapped(
      `${log}: ${title}. ${asks.join(" ")} A mapping (--map) says it; begin with: ${JSON.stringify(proposal)}`,
    );
  const read = readMapping(proposal);
  if (!read.ok) throw new Error(`a proposed mapping is none: ${read.problems[0]?.message}`);
  return { ok: true, mapping: read.value, isPacked, title, notes };
}

/** The plan with its stretch of time, where one is asked for. */
function withStretch(plan: Plan, { log, from, to }: ImportFile): Plan {
  if (!plan.ok || (from === undefined && to === undefined)) return plan;
  if (plan.mapping === null)
    return unmapped(`${log}: a canonical stream tells no moments that a stretch of time could be cut by`);
  const { mapping } = plan;
  const stretch = { ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) };
  const arrival = { ...mapping.arrival, ...stretch };
  const problems = stretchProblems(arrival, "mapping");
  if (problems.length > 0) return unmapped(`Mapping unavailable: ${problems.map(problemLine).join("; ")}`);
  return { ...plan, mapping: { ...mapping, arrival } };
}

/** What the tenant and the arrival were read from, and as what: nobody stated a mapping that was proposed. */
function readAs({ tenant, arrival }: Mapping): string {
  const zone = arrival.zone === undefined ? "" : `, without a zone in ${arrival.zone}`;
  return `tenant: ${tenant.field}, by ${tenant.by}; arrival: ${arrival.field}, in ${arrival.unit}${zone}`;
}

/** Makes the canonical stream of a log file. */
export async function importFile(file: ImportFile): Promise<ImportFileResult> {
  const refused = (problem: RoundProblem) => ({
    kind: "refused" as const,
    problem,
    summary: null,
    isMissing: false,
  });
  try {
    const plan = withStretch(await planFrom(file), file);
    if (!plan.ok)
      return "unknown" in plan ? { kind: "unknown", reason: plan.unknown } : refused(plan.problem);
    if (plan.mapping === null && !plan.isPacked && !file.copyCanonical) return { kind: "canonical" };
    const done = await importStream({ ...file, mapping: plan.mapping });
    if (!done.ok) return { ...refused(done.problem), summary: done.summary };
    const notes = plan.mapping === null ? plan.notes : [readAs(plan.mapping), ...plan.notes];
    return { kind: "imported", summary: done.summary, title: plan.title, notes };
  } catch (error) {
    if (error instanceof ArchiveProblem) return refused(streamUnavailable(file.log, error.message));
    if (!(error instanceof FileProblem)) throw error;
    return { ...refused(streamUnavailable(error.file, error.message)), isMissing: true };
  }
}
