import { hash } from "node:crypto";
import type { LogDecision, LogEnd, LogPublish, LogRefused, LogTally } from "../../contract/decision-log.ts";
import type { Level } from "../gate/bucket.ts";
import type {
  DecisionEntry,
  EndEntry,
  Moment,
  PublishEntry,
  RefusalEntry,
  TallyEntry,
} from "../gate/decision-sink.ts";
import { sumOf } from "../gate/ledger.ts";
import type { LogKey } from "./log-key.ts";

const balancesOf = (levels: readonly Level[]): [string, number][] =>
  levels.map(({ rule, balance }) => [rule.id, balance]);

const placed = ({ order }: Pick<Moment, "order">) => (order === undefined ? {} : { order });

function plainPath(path: string): string {
  const end = path.search(/[?#]/);
  return end < 0 ? path : path.slice(0, end);
}

function endedOf({ verdict, levels, freebie, hold }: DecisionEntry): LogDecision["ended"] {
  if (freebie === "taken") return "cancelled";
  if (verdict === "error") return levels.length > 0 ? "cancelled" : "none";
  if (verdict !== "allowed") return "none";
  if (hold !== null && (levels.length > 0 || freebie === "counted")) return "held";
  return levels.length > 0 ? "committed" : "none";
}

/** A decision as its log tells it (G11): names of clients and admissions hashed, the query left out. */
export function decisionLine(entry: DecisionEntry, key: LogKey): LogDecision {
  const { seq, time_ms, began_seq, host, client, freebie, freebies_used, hold, settled } = entry;
  return {
    line: "decision",
    seq,
    at: time_ms,
    ...placed(entry),
    ...(entry.unreached ? { unreached: true } : {}),
    ...(began_seq === seq - 1 ? {} : { began: began_seq }),
    version: entry.version,
    service: entry.service,
    ...(host === "" ? {} : { host }),
    path: plainPath(entry.path),
    credential: entry.credential,
    client: client === null ? null : key.client(client),
    rules: [...entry.rules],
    verdict: entry.verdict,
    reason: entry.reason,
    denied_by: [...entry.denied_by],
    retry_after_ms: entry.retry_after_ms,
    balances: balancesOf(entry.levels),
    ...(freebie === "none" ? {} : { freebie }),
    ...(freebies_used === null ? {} : { freebies_used }),
    ...(entry.freebie_read === undefined ? {} : { freebie_read: entry.freebie_read }),
    ...(entry.freebie_counted === undefined ? {} : { freebie_counted: entry.freebie_counted }),
    ...(hold === null ? {} : { hold: key.hold(hold) }),
    ended: endedOf(entry),
    ...(settled === null ? {} : { settled: { seq: settled.seq, at: settled.time_ms, ...placed(settled) } }),
  };
}

/** An end as its log tells it. */
export function endLine(entry: EndEntry, key: LogKey): LogEnd {
  const { seq, time_ms, hold, asked, ended, was, levels } = entry;
  const what = { hold: key.hold(hold), asked, ended, was, balances: balancesOf(levels) };
  const back = entry.freebie_returned === undefined ? {} : { freebie_returned: entry.freebie_returned };
  return { line: "end", seq, at: time_ms, ...placed(entry), ...back, ...what };
}

/** A snapshot that went live, as its log tells it: whole. */
export function publishLine(entry: PublishEntry): LogPublish {
  const { seq, time_ms, version, config, founded } = entry;
  const how = founded === true ? { founded } : {};
  return { line: "publish", seq, at: time_ms, ...placed(entry), ...how, version, config };
}

/** What a shared store counts, as a log tells it. */
export function tallyLine({ seq, time_ms, order, moved, counts }: TallyEntry): LogTally {
  const entries = [...counts].map(([name, { buckets }]): [string, number] => [name, buckets]);
  const stands = moved ? { order } : { after: order };
  return { line: "tally", seq, at: time_ms, ...stands, ...sumOf(counts.values()), entries };
}

/** Problems of a refused update that are told, and characters of each. */
const PROBLEMS = 10;
const CHARACTERS = 500;

/** The digest of a configuration that came from anywhere: JSON need not have a text for it. */
function digestOf(config: unknown): string | null {
  try {
    return hash("sha256", JSON.stringify(config), "hex");
  } catch {
    return null;
  }
}

/** An update that was refused, as its log tells it: bounded, whatever it was. */
export function refusedLine(entry: RefusalEntry): LogRefused {
  const { seq, time_ms, version, why, from, config, problems } = entry;
  const cut = (text: string) => (text.length > CHARACTERS ? `${text.slice(0, CHARACTERS)}…` : text);
  const told = problems
    .slice(0, PROBLEMS)
    .map(({ path, message }) => ({ path: cut(path), message: cut(message) }));
  const what = { why, from, sha256: digestOf(config), problems: told, problems_count: problems.length };
  return { line: "refused", seq, at: time_ms, version, ...what };
}
