import canonicalize from "canonicalize";
import type { RoundFigures } from "../../contract/report.ts";
import type { Reason, Verdict } from "../../contract/verdicts.ts";
import type { KeptOutcome } from "./decide-round.ts";
import { bytesOf, JsonBytes } from "./json-bytes.ts";
import { unservedReason } from "./round-figures.ts";
import { reasonOf, verdictOf } from "./verdict.ts";

/** The RFC 8785 text of a value; a value without one (a lone surrogate, NaN) is an error. */
export function canonical(value: unknown): string {
  const text = canonicalize(value);
  if (text === undefined) throw new TypeError("the value has no canonical JSON text");
  return text;
}

const COMMA = ",".charCodeAt(0);
const QUOTE = '"'.charCodeAt(0);
const CLOSE = "}".charCodeAt(0);
const NULL = bytesOf("null}");

/** What stands before the id of a decision in canonical order, and between id and wait. */
interface Frame {
  key: number;
  lead: Uint8Array;
  tail: Uint8Array;
}

const frame = (
  key: number,
  reason: Reason | null,
  breached: boolean,
  tenant: string,
  verdict: Verdict,
): Frame => ({
  key,
  lead: bytesOf(`{"reason":${JSON.stringify(reason)},"req_id":"`),
  tail: bytesOf(
    `","reserve_breached":${breached},"tenant":${JSON.stringify(tenant)},"verdict":"${verdict}","wait_ms":`,
  ),
});

/** In a step's place, for the decisions of who is not served (§3.6). */
const UNSERVED = 0;
const STEPS = 7;
/** Frames that are kept, a power of two: a stream may name millions of tenants. */
const FRAMES_KEPT = 1 << 16;

/** The frames of decisions, made when they are first needed: for each tenant, step of §3.4, and mark of a breach. */
class Frames {
  private readonly outcome: KeptOutcome;
  /** By the lowest bits of their keys: who comes later takes the place. */
  private readonly kept: (Frame | null)[] = new Array(FRAMES_KEPT).fill(null);

  constructor(outcome: KeptOutcome) {
    this.outcome = outcome;
  }

  of(tenant: number, step: number, breached: number): Frame {
    const key = (tenant * STEPS + step) * 2 + breached;
    const place = key & (FRAMES_KEPT - 1);
    const kept = this.kept[place]!;
    if (kept?.key === key) return kept;
    const made = this.make(key, this.outcome.columns.tenantNames[tenant]!, step, breached === 1);
    this.kept[place] = made;
    return made;
  }

  private make(key: number, tenant: string, step: number, breached: boolean): Frame {
    if (step === UNSERVED) return frame(key, unservedReason(this.outcome, tenant), false, tenant, "rejected");
    return frame(key, reasonOf(step), breached, tenant, verdictOf(step));
  }
}

/** Writes the decisions of an outcome row by row; a full block is yielded. */
function* decisionBlocks(
  outcome: KeptOutcome,
  json: JsonBytes,
  onProgress: (decisions: number) => void,
): Generator<Uint8Array> {
  const { columns, groups, decisions, order, unserved } = outcome;
  const { step: stepOf, wait_ms: waitOf, breached } = decisions;
  const { bytes, starts } = columns.reqId;
  const frames = new Frames(outcome);
  for (let place = 0; place < order.length; place++) {
    if (json.isFull) {
      onProgress(place);
      yield json.take();
    }
    if (place > 0) json.mark(COMMA);
    const request = order[place]!;
    const group = groups.ofDispatched[place]!;
    const { lead, tail } = frames.of(columns.tenant[request]!, stepOf[group]!, breached[group]!);
    json.raw(lead);
    json.name(bytes, starts[request]!, starts[request + 1]!);
    json.raw(tail);
    const wait_ms = waitOf[group]!;
    if (Number.isNaN(wait_ms)) json.raw(NULL);
    else {
      json.number(wait_ms);
      json.mark(CLOSE);
    }
  }
  for (let at = 0; at < unserved.length; at++) {
    if (json.isFull) yield json.take();
    if (order.length + at > 0) json.mark(COMMA);
    const request = unserved[at]!;
    const { lead, tail } = frames.of(columns.tenant[request]!, UNSERVED, 0);
    json.raw(lead);
    json.name(bytes, starts[request]!, starts[request + 1]!);
    json.raw(tail);
    json.raw(NULL);
  }
}

function* orderBlocks({ columns, order }: KeptOutcome, json: JsonBytes): Generator<Uint8Array> {
  const { bytes, starts } = columns.reqId;
  for (let place = 0; place < order.length; place++) {
    if (json.isFull) yield json.take();
    if (place > 0) json.mark(COMMA);
    const request = order[place]!;
    json.mark(QUOTE);
    json.name(bytes, starts[request]!, starts[request + 1]!);
    json.mark(QUOTE);
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
  outcome: KeptOutcome,
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
