import Database from "better-sqlite3";
import type { SideDecision } from "../../contract/comparison.ts";
import type { Page } from "../../contract/round-view.ts";
import type { StartStateRow, StartStateTenant } from "../../contract/start-states.ts";
import { likeText } from "./rounds.ts";
import { type Condition, ViewPages, type Window } from "./view-page.ts";

export interface StartStateQuery extends Window {
  tenant?: string | undefined;
  /** Part of a req_id. */
  search?: string | undefined;
}

interface RawRow extends Omit<StartStateRow, "stated" | "full" | "empty"> {
  stated: string;
  from_full: string;
  from_empty: string;
}

/** Writes the decisions that depend on the start into one SQLite file. */
export function writeStartStates(
  path: string,
  rows: readonly StartStateRow[],
  tenants: readonly StartStateTenant[],
): void {
  const database = new Database(path);
  database.pragma("journal_mode = OFF");
  database.pragma("synchronous = OFF");
  database.exec(
    `CREATE TABLE start_state (position INTEGER PRIMARY KEY, req_id TEXT, tenant TEXT, arrival_ms INTEGER, stated TEXT, from_full TEXT, from_empty TEXT);
     CREATE TABLE start_tenant (tenant TEXT, requests INTEGER, depends INTEGER, flips INTEGER, last_ms INTEGER);
     BEGIN`,
  );
  const insert = database.prepare("INSERT INTO start_state VALUES (?, ?, ?, ?, ?, ?, ?)");
  for (const { position, req_id, tenant, arrival_ms, stated, full, empty } of rows)
    insert.run(
      position,
      req_id,
      tenant,
      arrival_ms,
      JSON.stringify(stated),
      JSON.stringify(full),
      JSON.stringify(empty),
    );
  const insertTenant = database.prepare("INSERT INTO start_tenant VALUES (?, ?, ?, ?, ?)");
  for (const { tenant, requests, depends, flips, last_ms } of tenants)
    insertTenant.run(tenant, requests, depends, flips, last_ms);
  database.exec(
    "CREATE INDEX start_state_tenant ON start_state (tenant); CREATE INDEX start_state_id ON start_state (req_id); COMMIT",
  );
  database.close();
}

/** Reads the decisions that depend on the start, window by window. */
export class StartStateRows {
  private readonly database: Database.Database;
  private readonly pages: ViewPages;

  constructor(path: string) {
    this.database = new Database(path, { readonly: true, fileMustExist: true });
    this.pages = new ViewPages(this.database);
  }

  close(): void {
    this.database.close();
  }

  rows({ tenant, search, ...window }: StartStateQuery): Page<StartStateRow> {
    const conditions: Condition[] = [];
    if (tenant) conditions.push(["tenant = ?", tenant]);
    if (search) conditions.push(["req_id LIKE ? ESCAPE '\\'", likeText(search)]);
    const side = (text: string) => JSON.parse(text) as SideDecision;
    const show = ({ stated, from_full, from_empty, ...row }: RawRow): StartStateRow => ({
      ...row,
      stated: side(stated),
      full: side(from_full),
      empty: side(from_empty),
    });
    return this.pages.page({ table: "start_state", conditions, order: "position", show }, window);
  }

  /** Tenants with decisions that depend on the start, those with the most first. */
  tenants(window: Window): Page<StartStateTenant> {
    const show = (row: StartStateTenant): StartStateTenant => row;
    const order = "depends DESC, tenant";
    return this.pages.page({ table: "start_tenant", conditions: [], order, show }, window);
  }

  /** Which of some requests depend on the start. */
  marked(req_ids: readonly string[]): Set<string> {
    const found = this.database
      .prepare("SELECT req_id FROM start_state WHERE req_id IN (SELECT value FROM json_each(?))")
      .pluck()
      .all(JSON.stringify(req_ids)) as string[];
    return new Set(found);
  }
}
