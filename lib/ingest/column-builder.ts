import type { RequestColumns } from "../../contract/request.ts";
import { grown, nextCapacity } from "./growing-columns.ts";
import { repeatedTexts } from "./repeated-texts.ts";
import { TenantIndex } from "./tenant-index.ts";
import { TextPacker } from "./text-packer.ts";

const FIRST_CAPACITY = 1024;

/** A valid request whose names are bytes of UTF-8 in some block. `costMicro` in millionths of a token. */
export interface RequestBytes {
  idStart: number;
  idEnd: number;
  tenantStart: number;
  tenantEnd: number;
  arrivalMs: number;
  costMicro: number;
  isSoft: boolean;
}

/** Grows columns request by request. Ids that come again are found at the end, all at once. */
export class ColumnBuilder {
  count = 0;
  private readonly ids = new TextPacker();
  private readonly tenants = new TenantIndex();
  private tenant = new Uint32Array(FIRST_CAPACITY);
  private arrivalMs = new Float64Array(FIRST_CAPACITY);
  private costMicro = new Float64Array(FIRST_CAPACITY);
  private soft = new Uint8Array(FIRST_CAPACITY);
  /** Physical line of each request. */
  private line = new Uint32Array(FIRST_CAPACITY);

  /** Makes room for about so many requests. */
  expect(requests: number): void {
    if (!(requests > this.tenant.length)) return;
    this.ids.expect(requests);
    this.grow(requests);
  }

  add(block: Uint8Array, request: RequestBytes, line: number): void {
    const at = this.count;
    if (at === this.tenant.length) this.grow(nextCapacity(at));
    this.ids.add(block, request.idStart, request.idEnd);
    this.tenant[at] = this.tenants.indexOf(block, request.tenantStart, request.tenantEnd);
    this.arrivalMs[at] = request.arrivalMs;
    this.costMicro[at] = request.costMicro;
    this.soft[at] = request.isSoft ? 1 : 0;
    this.line[at] = line;
    this.count = at + 1;
  }

  /** The requests whose ids no earlier one has (§1.3), and the lines of the others. */
  build(): { columns: RequestColumns; repeatedLines: number[] } {
    const reqId = this.ids.build();
    const repeated = repeatedTexts(reqId, this.ids.hashes());
    if (repeated.length > 0) return this.without(repeated);
    const { count } = this;
    return {
      columns: {
        count,
        tenantNames: this.tenants.names(),
        reqId,
        tenant: this.tenant.subarray(0, count),
        arrivalMs: this.arrivalMs.subarray(0, count),
        costMicro: this.costMicro.subarray(0, count),
        soft: this.soft.subarray(0, count),
      },
      repeatedLines: [],
    };
  }

  /** Built again from all but some requests: a tenant that only those name is none of the stream. */
  private without(repeated: number[]): { columns: RequestColumns; repeatedLines: number[] } {
    const { bytes, starts } = this.ids.build();
    const names = this.tenants.names().map((name) => new TextEncoder().encode(name));
    const others = new ColumnBuilder();
    let next = 0;
    for (let at = 0; at < this.count; at++) {
      if (repeated[next] === at) {
        next += 1;
        continue;
      }
      const idEnd = starts[at + 1]! - starts[at]!;
      const tenant = names[this.tenant[at]!]!;
      const block = new Uint8Array(idEnd + tenant.length);
      block.set(bytes.subarray(starts[at]!, starts[at + 1]!));
      block.set(tenant, idEnd);
      others.add(
        block,
        {
          idStart: 0,
          idEnd,
          tenantStart: idEnd,
          tenantEnd: block.length,
          arrivalMs: this.arrivalMs[at]!,
          costMicro: this.costMicro[at]!,
          isSoft: this.soft[at] === 1,
        },
        this.line[at]!,
      );
    }
    return { columns: others.build().columns, repeatedLines: repeated.map((at) => this.line[at]!) };
  }

  private grow(capacity: number): void {
    this.tenant = grown(this.tenant, capacity);
    this.arrivalMs = grown(this.arrivalMs, capacity);
    this.costMicro = grown(this.costMicro, capacity);
    this.soft = grown(this.soft, capacity);
    this.line = grown(this.line, capacity);
  }
}
