import canonicalize from "canonicalize";
import type { Reason, RoundFigures, Verdict } from "../../contract/report.ts";
import type { RoundOutcome } from "./decide-round.ts";
import { bytesOf, JsonBytes } from "./json-bytes.ts";
import { unservedReason } from "./round-figures.ts";
import { reasonOf, verdictOf } from "./verdict.ts";

/** The RFC 8785 text of a value; a value without one (a lone surrogate, NaN) is an error. */
export function canonical(value: unknown): string {
  const text = canonicalize(value);
  if (text === undefined) throw new TypeError("the value has no canonical JSON text");
  return text;
}

const COMMA = bytesOf(",");
const QUOTE = bytesOf('"');
const NULL = bytesOf("null}");
const CLOSE = bytesOf("}");

/** What stands before the id, between the names, and before the wait, of a decision in canonical order. */
interface Frame {
  lead: Uint8Array;
  middle: Uint8Array;
  tail: Uint8Array;
}

const frame = (reason: Reason | null, breached: boolean, verdict: Verdict): Frame => ({
  lead: bytesOf(`{"reason":${JSON.stringify(reason)},"req_id":"`),
  middle: bytesOf(`","reserve_breached":${breached},"tenant":`),
  tail: bytesOf(`,"verdict":"${verdict}","wait_ms":`),
});

/** A frame for each step of §3.4, unmarked and marked. */
const FRAMES = [1, 2, 3, 4, 5, 6].map((step) =>
  [false, true].map((breached) => frame(reasonOf(step), breached, verdictOf(step))),
);

/** Writes the decisions of an outcome row by row; a full block is yielded. */
function* decisionBlocks(
  outcome: RoundOutcome,
  json: JsonBytes,
  onProgress: (decisions: number) => void,
): Generator<Uint8Array> {
  const { columns, groups, decisions, order, unserved } = outcome;
  const { step: stepOf, wait_ms: waitOf, breached } = decisions;
  const { bytes, starts } = columns.reqId;
  const tenants = columns.tenantNames.map((name) => bytesOf(JSON.stringify(name)));
  for (let place = 0; place < order.length; place++) {
    if (json.isFull) {
      onProgress(place);
      yield json.take();
    }
    if (place > 0) json.raw(COMMA);
    const request = order[place]!;
    const group = groups.ofDispatched[place]!;
    const { lead, middle, tail } = FRAMES[stepOf[group]! - 1]![breached[group]!]!;
    json.raw(lead);
    json.name(bytes, starts[request]!, starts[request + 1]!);
    json.raw(middle);
    json.raw(tenants[columns.tenant[request]!]!);
    json.raw(tail);
    const wait_ms = waitOf[group]!;
    if (Number.isNaN(wait_ms)) json.raw(NULL);
    else {
      json.number(wait_ms);
      json.raw(CLOSE);
    }
  }
  const frames = columns.tenantNames.map((name) => frame(unservedReason(outcome, name), false, "rejected"));
  for (let at = 0; at < unserved.length; at++) {
    if (json.isFull) yield json.take();
    if (order.length + at > 0) json.raw(COMMA);
    const request = unserved[at]!;
    const tenant = columns.tenant[request]!;
    const { lead, middle, tail } = frames[tenant]!;
    json.raw(lead);
    json.name(bytes, starts[request]!, starts[request + 1]!);
    json.raw(middle);
    json.raw(tenants[tenant]!);
    json.raw(tail);
    json.raw(NULL);
  }
}

function* orderBlocks({ columns, order }: RoundOutcome, json: JsonBytes): Generator<Uint8Array> {
  const { bytes, starts } = columns.reqId;
  for (let place = 0; place < order.length; place++) {
    if (json.isFull) yield json.take();
    if (place > 0) json.raw(COMMA);
    const request = order[place]!;
    json.raw(QUOTE);
    json.name(bytes, starts[request]!, starts[request + 1]!);
    json.raw(QUOTE);
  }
}

/** The canonical text of `per_tenant`, keys by UTF-16 code units, in pieces. */
function* tenantPieces(tenants: RoundFigures["per_tenant"]): Generator<string> {
  let lead = "";
  for (const name of Object.keys(tenants).sort()) {
    yield `${lead}${canonical(name)}:${canonical(tenants[name])}`;
    lead = ",";
  }
}

/**
 * The canonical text (RFC 8785) of what the checksum covers (§4), but for its closing brace: a report goes on behind
 * it. In blocks, of which each stays as it is until the one after the next is asked for.
 */
export function* canonicalBlocks(
  outcome: RoundOutcome,
  figures: RoundFigures,
  onProgress: (decisions: number) => void = () => {},
): Generator<Uint8Array> {
  const json = new JsonBytes();
  yield bytesOf(`{"counts":${canonical(figures.counts)},"decisions":[`);
  yield* decisionBlocks(outcome, json, onProgress);
  yield json.take();
  yield bytesOf('],"dispatch_order":[');
  yield* orderBlocks(outcome, json);
  yield json.take();
  yield bytesOf('],"per_tenant":{');
  for (const piece of tenantPieces(figures.per_tenant)) yield bytesOf(piece);
  yield bytesOf(`},"totals":${canonical(figures.totals)}`);
}
