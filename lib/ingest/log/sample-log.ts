import { microOf } from "../../../contract/decimal.ts";
import { ARRIVAL_MAX_MS } from "../../../contract/limits.ts";
import type { Mapping } from "../../../contract/mapping.ts";
import type { RequestColumns } from "../../../contract/request.ts";
import { TextColumn } from "../../../contract/text-column.ts";
import { readExactLine } from "../exact-line.ts";
import { boundedLines, type LineBlock, linesIn } from "./bounded-lines.ts";
import { elapsedMs, type Instant, isBefore } from "./imported-line.ts";
import { LineImporter } from "./line-importer.ts";
import { type OpenLog, openUnpacked } from "./open-log.ts";

/** The first requests of a stream; problems are left out, since nothing is decided by these. */
export interface LogSample {
  columns: RequestColumns;
  /** Whether the stream holds no other request. */
  isWhole: boolean;
}

/** Requests as they come, until there are enough; one whose id came before is none (§1.3). */
class Sample {
  private readonly index = new Map<string, number>();
  private readonly reqId: string[] = [];
  private readonly ids = new Set<string>();
  private readonly tenant: number[] = [];
  private readonly arrived: Instant[] = [];
  private readonly costMicro: number[] = [];
  private readonly soft: number[] = [];
  private start: Instant | null;

  /** @param start when the round begins, where that is known; null: with the earliest request */
  constructor(start: Instant | null) {
    this.start = start;
  }

  get count(): number {
    return this.tenant.length;
  }

  add(reqId: string, tenant: string, arrived: Instant, costMicro: number, isSoft: boolean): void {
    if (this.ids.has(reqId)) return;
    this.ids.add(reqId);
    this.reqId.push(reqId);
    const known = this.index.get(tenant) ?? this.index.size;
    this.index.set(tenant, known);
    this.tenant.push(known);
    this.arrived.push(arrived);
    this.costMicro.push(costMicro);
    this.soft.push(isSoft ? 1 : 0);
    if (this.start === null || isBefore(arrived, this.start)) this.start = arrived;
  }

  /** The first `most` of them; times count from the start of the round, and one that is too late is left out. */
  columns(most: number): RequestColumns {
    const start = this.start ?? { ms: 0, sub: 0 };
    const kept: number[] = [];
    for (let at = 0; at < this.count && kept.length < most; at++)
      if (elapsedMs(start, this.arrived[at]!) <= ARRIVAL_MAX_MS) kept.push(at);
    return {
      count: kept.length,
      tenantNames: [...this.index.keys()],
      reqId: TextColumn.of(kept.map((at) => this.reqId[at]!)),
      tenant: Uint32Array.from(kept, (at) => this.tenant[at]!),
      arrivalMs: Float64Array.from(kept, (at) => elapsedMs(start, this.arrived[at]!)),
      costMicro: Float64Array.from(kept, (at) => this.costMicro[at]!),
      soft: Uint8Array.from(kept, (at) => this.soft[at]!),
    };
  }
}

/** What takes the blocks of a stream into a sample: by a mapping, or as the canonical stream. */
function taker(
  mapping: Mapping | null,
  sample: Sample,
): { block: (block: LineBlock) => void; end: () => void } {
  if (mapping !== null) {
    const importer = new LineImporter(mapping, {
      request: (_, { reqId, tenant, arrived, cost, isSoft }) =>
        sample.add(reqId, tenant, arrived, Number(microOf(cost)), isSoft),
      problem: () => {},
      other: () => {},
    });
    return { block: (block) => importer.block(block), end: () => importer.end() };
  }
  return {
    block: (block) => {
      for (const line of block.kind === "lines" ? linesIn(block.bytes) : []) {
        const read = typeof line === "string" ? readExactLine(line) : null;
        if (read?.ok !== true) continue;
        const { reqId, tenant, arrivalMs, costMicro, isSoft } = read.request;
        sample.add(reqId, tenant, { ms: arrivalMs, sub: 0 }, costMicro, isSoft);
      }
    },
    end: () => {},
  };
}

/**
 * The first requests of a stream, to see what is in it. An archive that cannot be unpacked is an ArchiveProblem.
 * @param mapping null: the stream is the canonical one
 * @param most how many requests at most
 */
export async function sampleLog(open: OpenLog, mapping: Mapping | null, most: number): Promise<LogSample> {
  const sample = new Sample(mapping === null ? { ms: 0, sub: 0 } : null);
  const { block, end } = taker(mapping, sample);
  const log = await openUnpacked(open);
  for await (const next of boundedLines(log.bytes)) {
    block(next);
    if (sample.count > most) return { columns: sample.columns(most), isWhole: false };
  }
  end();
  return { columns: sample.columns(most), isWhole: sample.count <= most };
}
