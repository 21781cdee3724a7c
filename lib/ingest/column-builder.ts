import type { RequestColumns } from "../../contract/request.ts";

const FIRST_CAPACITY = 1024;

/** Grows columns request by request; the arrays double, so that appending stays cheap. */
export class ColumnBuilder {
  private count = 0;
  private readonly reqId: string[] = [];
  private readonly tenantNames: string[] = [];
  private readonly tenantIndex = new Map<string, number>();
  private readonly seen = new Set<string>();
  private tenant = new Uint32Array(FIRST_CAPACITY);
  private arrivalMs = new Float64Array(FIRST_CAPACITY);
  private costMicro = new Float64Array(FIRST_CAPACITY);
  private soft = new Uint8Array(FIRST_CAPACITY);

  /** Whether a valid request with this id was added already (§1.3). */
  has(reqId: string): boolean {
    return this.seen.has(reqId);
  }

  /** Adds a valid request. `costMicro` in millionths of a token. */
  add(reqId: string, tenant: string, arrivalMs: number, costMicro: number, isSoft: boolean): void {
    if (this.count === this.tenant.length) this.grow();
    const at = this.count++;
    this.seen.add(reqId);
    this.reqId.push(reqId);
    this.tenant[at] = this.indexOf(tenant);
    this.arrivalMs[at] = arrivalMs;
    this.costMicro[at] = costMicro;
    this.soft[at] = isSoft ? 1 : 0;
  }

  build(): RequestColumns {
    return {
      count: this.count,
      tenantNames: this.tenantNames,
      reqId: this.reqId,
      tenant: this.tenant.subarray(0, this.count),
      arrivalMs: this.arrivalMs.subarray(0, this.count),
      costMicro: this.costMicro.subarray(0, this.count),
      soft: this.soft.subarray(0, this.count),
    };
  }

  private indexOf(tenant: string): number {
    const known = this.tenantIndex.get(tenant);
    if (known !== undefined) return known;
    this.tenantIndex.set(tenant, this.tenantNames.length);
    return this.tenantNames.push(tenant) - 1;
  }

  private grow(): void {
    const capacity = this.tenant.length * 2;
    const tenant = new Uint32Array(capacity);
    tenant.set(this.tenant);
    this.tenant = tenant;
    const arrivalMs = new Float64Array(capacity);
    arrivalMs.set(this.arrivalMs);
    this.arrivalMs = arrivalMs;
    const costMicro = new Float64Array(capacity);
    costMicro.set(this.costMicro);
    this.costMicro = costMicro;
    const soft = new Uint8Array(capacity);
    soft.set(this.soft);
    this.soft = soft;
  }
}
