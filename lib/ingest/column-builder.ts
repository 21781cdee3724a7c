import type { RequestColumns } from "../../contract/request.ts";
import { TextColumn } from "../../contract/text-column.ts";
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

/** Texts as plain data. */
interface PackedTexts {
  bytes: Uint8Array<ArrayBuffer>;
  starts: Uint32Array<ArrayBuffer>;
}

/** Columns of a part of a stream as plain data: another thread can be given them. Lines count from the part's own first one. */
export interface PackedColumns {
  ids: PackedTexts;
  hashes: Uint32Array<ArrayBuffer>;
  tenants: PackedTexts;
  tenant: Uint32Array<ArrayBuffer>;
  arrivalMs: Float64Array<ArrayBuffer>;
  costMicro: Float64Array<ArrayBuffer>;
  soft: Uint8Array<ArrayBuffer>;
  line: Uint32Array<ArrayBuffer>;
}

/** The memory of packed columns, which a thread can give away. */
export const memoryOf = ({ ids, hashes, tenants, ...columns }: PackedColumns): ArrayBuffer[] =>
  [ids.bytes, ids.starts, hashes, tenants.bytes, tenants.starts, ...Object.values(columns)].map(
    ({ buffer }) => buffer,
  );

/** Grows columns request by request. Ids that come again are found at the end, all at once. */
export class ColumnBuilder {
  count = 0;
  private readonly ids: TextPacker;
  private readonly tenants = new TenantIndex();
  private tenant = new Uint32Array(FIRST_CAPACITY);
  private arrivalMs = new Float64Array(FIRST_CAPACITY);
  private costMicro = new Float64Array(FIRST_CAPACITY);
  private soft = new Uint8Array(FIRST_CAPACITY);
  /** Physical line of each request. */
  private line = new Uint32Array(FIRST_CAPACITY);

  /** @param seed of the hashes of ids, where another thread's go behind these */
  constructor(seed?: number) {
    this.ids = new TextPacker(seed);
  }

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

  /** A copy of what is here so far, and nothing more. */
  pack(): PackedColumns {
    const { count } = this;
    const texts = ({ bytes, starts }: TextColumn) => ({ bytes: bytes.slice(), starts: starts.slice() });
    return {
      ids: texts(this.ids.build()),
      hashes: this.ids.hashes().slice(),
      tenants: texts(this.tenants.texts()),
      tenant: this.tenant.slice(0, count),
      arrivalMs: this.arrivalMs.slice(0, count),
      costMicro: this.costMicro.slice(0, count),
      soft: this.soft.slice(0, count),
      line: this.line.slice(0, count),
    };
  }

  /** Puts the requests of a later part behind these. Tenants are numbered as they come, as if there were no parts. */
  append(part: PackedColumns, linesBefore: number): void {
    const first = this.count;
    const count = first + part.tenant.length;
    if (count > this.tenant.length) this.grow(Math.max(count, nextCapacity(this.tenant.length)));
    this.ids.append(new TextColumn(part.ids.bytes, part.ids.starts), part.hashes);
    const { bytes, starts } = part.tenants;
    // A part lists its tenants in the order in which they come in it.
    const numbers = Uint32Array.from({ length: starts.length - 1 }, (_, tenant) =>
      this.tenants.indexOf(bytes, starts[tenant]!, starts[tenant + 1]!),
    );
    for (let at = first; at < count; at++) this.tenant[at] = numbers[part.tenant[at - first]!]!;
    for (let at = first; at < count; at++) this.line[at] = linesBefore + part.line[at - first]!;
    this.arrivalMs.set(part.arrivalMs, first);
    this.costMicro.set(part.costMicro, first);
    this.soft.set(part.soft, first);
    this.count = count;
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
