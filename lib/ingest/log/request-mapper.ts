import { RE2JS } from "re2js";
import { type DecimalText, decimalText, microOf } from "../../../contract/decimal.ts";
import { type InputProblem, type InputResult, issueProblems } from "../../../contract/input.ts";
import { COST_MAX } from "../../../contract/limits.ts";
import {
  type CostMapping,
  type Mapping,
  type ModeMapping,
  mappingSchema,
} from "../../../contract/mapping.ts";
import { nameFault } from "../../../contract/name.ts";
import { expressionFault } from "../../gate/expression.ts";
import type { LogRecord } from "../formats/format.ts";
import { templateFault } from "../formats/log-template.ts";
import type { ImportedRequest } from "./imported-line.ts";
import { stampReader } from "./stamp.ts";
import { outsideStretch, stretchProblems } from "./stretch.ts";
import { pathOf, tenantReader } from "./tenant.ts";
import { isZone } from "./zone.ts";

/** A record as a request, or the part of it that makes it none. */
export type MapResult = { ok: true; request: ImportedRequest } | { ok: false; field: string; reason: string };
export type RequestMapper = (record: LogRecord, line: number) => MapResult;

/** A part of a request, or why the record has none. */
type Part<T> = { ok: true; value: T } | { ok: false; reason: string };

const COST_MAX_MICRO = COST_MAX * 1_000_000n;
const part = <T>(value: T): Part<T> => ({ ok: true, value });
const none = (reason: string): Part<never> => ({ ok: false, reason });
const absent = (field: string): Part<never> => none(`the line has no ${field}`);

/** A value from a log as a message tells it: not whole, it may be as long as its line. */
const quoted = (value: string): string =>
  JSON.stringify(value.length > 60 ? `${value.slice(0, 60)}…` : value);

function costOf(text: string): Part<DecimalText> {
  const micro = microOf(text);
  if (typeof micro === "string") return none(`${quoted(text)} is no cost: ${micro}`);
  if (micro <= 0n || micro > COST_MAX_MICRO)
    return none(`${quoted(text)} is no cost; expected above 0, at most ${COST_MAX}`);
  return part(decimalText(micro));
}

function costReader(mapping: CostMapping): (record: LogRecord) => Part<DecimalText> {
  if (mapping.by === "constant") {
    const constant = part(mapping.cost);
    return () => constant;
  }
  const { field } = mapping;
  if (mapping.by === "field") {
    const { missing } = mapping;
    return (record) => {
      const value = record.value(field);
      if (value !== null) return costOf(value);
      return missing === undefined ? absent(field) : part(missing);
    };
  }
  const otherwise = part(mapping.otherwise);
  if (mapping.by === "method") {
    const costs = new Map(mapping.costs.map(({ method, cost }) => [method.toUpperCase(), part(cost)]));
    return (record) => costs.get((record.value(field) ?? "").toUpperCase()) ?? otherwise;
  }
  const costs = mapping.costs.map(({ expression, cost }) => ({
    pattern: RE2JS.compile(expression),
    cost: part(cost),
  }));
  return (record) => {
    const target = record.value(field);
    if (target === null) return otherwise;
    const path = pathOf(target);
    return costs.find(({ pattern }) => pattern.test(path))?.cost ?? otherwise;
  };
}

function modeReader(mapping: ModeMapping): (record: LogRecord) => boolean {
  if (mapping.by === "constant") return () => mapping.mode === "soft";
  const soft = new Set(mapping.soft);
  return (record) => soft.has(record.value(mapping.field) ?? "");
}

function tenantPart({ tenant }: Mapping): (record: LogRecord) => Part<string> {
  const read = tenantReader(tenant);
  const instead = tenant.missing === undefined ? null : part(tenant.missing);
  return (record) => {
    const value = record.value(tenant.field);
    if (value === null) return instead ?? absent(tenant.field);
    const found = read(value);
    if (found.ok) return part(found.name);
    return none(`${tenant.field} ${quoted(value)} ${found.reason}`);
  };
}

function reqIdReader(mapping: Mapping["req_id"]): (record: LogRecord, line: number) => Part<string> {
  if (mapping.by === "line") return (_, line) => part(`line-${line}`);
  const { field } = mapping;
  return (record) => {
    const value = record.value(field);
    if (value === null) return absent(field);
    const reason = nameFault(value);
    return reason === null ? part(value) : none(`${field} ${reason}`);
  };
}

function build(mapping: Mapping): RequestMapper {
  const tenantOf = tenantPart(mapping);
  const readStamp = stampReader(mapping.arrival);
  const costPart = costReader(mapping.cost);
  const isSoft = modeReader(mapping.mode);
  const idOf = reqIdReader(mapping.req_id);
  const outside = outsideStretch(mapping.arrival);
  const refuse = (field: string, { reason }: { reason: string }): MapResult => ({ ok: false, field, reason });
  return (record, line) => {
    const stamp = record.value(mapping.arrival.field);
    if (stamp === null) return refuse("arrival", absent(mapping.arrival.field) as { reason: string });
    const arrived = readStamp(stamp);
    if (typeof arrived === "string")
      return { ok: false, field: "arrival", reason: `${mapping.arrival.field} ${quoted(stamp)} ${arrived}` };
    const reason = outside(arrived);
    if (reason !== null) return { ok: false, field: "arrival", reason };
    const tenant = tenantOf(record);
    if (!tenant.ok) return refuse("tenant", tenant);
    const cost = costPart(record);
    if (!cost.ok) return refuse("cost", cost);
    const reqId = idOf(record, line);
    if (!reqId.ok) return refuse("req_id", reqId);
    return {
      ok: true,
      request: {
        reqId: reqId.value,
        tenant: tenant.value,
        arrived,
        cost: cost.value,
        isSoft: isSoft(record),
      },
    };
  };
}

/** What a schema cannot tell: expressions that RE2 refuses, zones that are none. */
function deepProblems({ format, tenant, arrival, cost }: Mapping, file: string): InputProblem[] {
  const problems: InputProblem[] = [];
  const say = (path: string, message: string | null) => {
    if (message !== null) problems.push({ file, path, message });
  };
  if (format.log_format !== undefined) say("format.log_format", templateFault(format.log_format));
  if (tenant.by === "capture") say("tenant.expression", expressionFault(tenant.expression));
  if (arrival.zone !== undefined && !isZone(arrival.zone))
    say("arrival.zone", "is no time zone; expected an IANA name such as Europe/Berlin, or UTC");
  problems.push(...stretchProblems(arrival, file));
  if (cost.by === "path")
    cost.costs.forEach(({ expression }, index) => {
      say(`cost.costs[${index}].expression`, expressionFault(expression));
    });
  return problems;
}

/** Validates a mapping: the schema's rules, its expressions, its zone, its stretch of time. Each problem has its path. */
export function readMapping(value: unknown, file = "mapping"): InputResult<Mapping> {
  const parsed = mappingSchema.safeParse(value);
  if (!parsed.success) return { ok: false, problems: issueProblems(parsed.error, file) };
  const problems = deepProblems(parsed.data, file);
  return problems.length === 0 ? { ok: true, value: parsed.data } : { ok: false, problems };
}

/** What turns a log's records into requests. The mapping is one that `readMapping` accepted. */
export function requestMapper(mapping: Mapping): RequestMapper {
  return build(mapping);
}
