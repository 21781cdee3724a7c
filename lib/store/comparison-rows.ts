import Database from "better-sqlite3";
import type { ChangeRow, SideDecision, SideTenant, TenantChange } from "../../contract/comparison.ts";
import type { Page } from "../../contract/round-view.ts";
import { likeText } from "./rounds.ts";
import { type Condition, ViewPages, type Window } from "./view-page.ts";

export interface ChangeQuery extends Window {
  kind?: string | undefined;
  tenant?: string | undefined;
  /** Part of a req_id. */
  search?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
}

export interface TenantChangeQuery extends Window {
  search?: string | undefined;
}

interface RawChange {
  position: number;
  req_id: string;
  tenant: string;
  kind: ChangeRow["kind"];
  a: string | null;
  b: string | null;
}

type RawTenant = Omit<TenantChange, "a" | "b"> & { a: string | null; b: string | null };

const textOf = (side: SideDecision | SideTenant | null): string | null =>
  side === null ? null : JSON.stringify(side);
const sideOf = <Side>(text: string | null): Side | null =>
  text === null ? null : (JSON.parse(text) as Side);

/** Writes what differs between two rounds into one SQLite file, row by row: there may be millions. */
export class ComparisonWriter {
  private readonly database: Database.Database;
  private readonly change: Database.Statement;

  constructor(path: string) {
    this.database = new Database(path);
    this.database.pragma("journal_mode = OFF");
    this.database.pragma("synchronous = OFF");
    this.database.exec(
      `CREATE TABLE change (position INTEGER PRIMARY KEY, req_id TEXT, tenant TEXT, kind TEXT, verdict_a TEXT, verdict_b TEXT, a TEXT, b TEXT);
       CREATE TABLE tenant_change (tenant TEXT, flips INTEGER, gained INTEGER, lost INTEGER, one_sided INTEGER, details INTEGER, a TEXT, b TEXT);
       BEGIN`,
    );
    this.change = this.database.prepare("INSERT INTO change VALUES (?, ?, ?, ?, ?, ?, ?, ?)");
  }

  add({ position, req_id, tenant, kind, a, b }: ChangeRow): void {
    const [ofA, ofB] = [textOf(a), textOf(b)];
    this.change.run(position, req_id, tenant, kind, a?.verdict ?? null, b?.verdict ?? null, ofA, ofB);
  }

  /** Adds the tenants that differ, and closes the file. */
  finish(tenants: readonly TenantChange[]): void {
    const row = this.database.prepare("INSERT INTO tenant_change VALUES (?, ?, ?, ?, ?, ?, ?, ?)");
    for (const { tenant, flips, gained, lost, one_sided, details, a, b } of tenants)
      row.run(tenant, flips, gained, lost, one_sided, details, textOf(a), textOf(b));
    this.database.exec(
      `CREATE INDEX change_kind ON change (kind);
       CREATE INDEX change_tenant ON change (tenant);
       CREATE INDEX change_verdicts ON change (verdict_a, verdict_b);
       COMMIT`,
    );
    this.database.close();
  }
}

/** Reads what differs between two rounds, window by window. */
export class ComparisonRows {
  private readonly database: Database.Database;
  private readonly pages: ViewPages;

  constructor(path: string) {
    this.database = new Database(path, { readonly: true, fileMustExist: true });
    this.pages = new ViewPages(this.database);
  }

  close(): void {
    this.database.close();
  }

  changes({ kind, tenant, search, from, to, ...window }: ChangeQuery): Page<ChangeRow> {
    const conditions: Condition[] = [];
    if (kind) conditions.push(["kind = ?", kind]);
    if (tenant) conditions.push(["tenant = ?", tenant]);
    if (from) conditions.push(["verdict_a = ?", from]);
    if (to) conditions.push(["verdict_b = ?", to]);
    if (search) conditions.push(["req_id LIKE ? ESCAPE '\\'", likeText(search)]);
    const show = ({ a, b, position, req_id, tenant: of, kind: how }: RawChange): ChangeRow => ({
      position,
      req_id,
      tenant: of,
      kind: how,
      a: sideOf(a),
      b: sideOf(b),
    });
    return this.pages.page({ table: "change", conditions, order: "position", show }, window);
  }

  /** Tenants with the most requests that flip first. */
  tenants({ search, ...window }: TenantChangeQuery): Page<TenantChange> {
    const conditions: Condition[] = search ? [["tenant LIKE ? ESCAPE '\\'", likeText(search)]] : [];
    const show = ({ a, b, ...row }: RawTenant): TenantChange => ({ ...row, a: sideOf(a), b: sideOf(b) });
    const order = "flips DESC, one_sided DESC, details DESC, tenant";
    return this.pages.page({ table: "tenant_change", conditions, order, show }, window);
  }
}
