import type { QueryEngine } from "./query-engine.ts";
import { marks } from "./view-selection.ts";

/** Names remembered of one view. */
const NAMES_KEPT = 100_000;
/** Names looked up at once. */
const AT_ONCE = 1000;

/** The names of a view's tenants by the numbers that stand for them, and the other way round. */
export class ViewTenants {
  private readonly engine: QueryEngine;
  private readonly file: string;
  private readonly names = new Map<number, string>();
  private readonly numbers = new Map<string, number>();

  constructor(engine: QueryEngine, file: string) {
    this.engine = engine;
    this.file = file;
  }

  /** The number of a name; −1, which no row has, where it does not occur. */
  async numberOf(name: string): Promise<number> {
    const known = this.numbers.get(name);
    if (known !== undefined) return known;
    const [row] = await this.engine.rows("SELECT tenant FROM read_parquet(?) WHERE name = ?", [
      this.file,
      name,
    ]);
    if (row === undefined) return -1;
    this.keep(row.tenant as number, name);
    return row.tenant as number;
  }

  /** The names of some numbers. A number without a name is an error: nothing may be shown under another name. */
  async namesOf(numbers: Iterable<number>): Promise<(number: number) => string> {
    const names = new Map<number, string>();
    const unknown: number[] = [];
    for (const number of new Set(numbers)) {
      const name = this.names.get(number);
      if (name === undefined) unknown.push(number);
      else names.set(number, name);
    }
    for (let at = 0; at < unknown.length; at += AT_ONCE) {
      const asked = unknown.slice(at, at + AT_ONCE);
      const found = await this.engine.rows<{ tenant: number; name: string }>(
        `SELECT tenant, name FROM read_parquet(?) WHERE tenant IN (${marks(asked)})`,
        [this.file, ...asked],
      );
      for (const { tenant, name } of found) {
        this.keep(tenant, name);
        names.set(tenant, name);
      }
    }
    return (number) => {
      const name = names.get(number);
      if (name === undefined) throw new Error(`the view has no name of the tenant ${number}`);
      return name;
    };
  }

  /** Every name, in the order of their bytes. */
  async all(): Promise<string[]> {
    const rows = await this.engine.rows<{ name: string }>(
      "SELECT name FROM read_parquet(?) ORDER BY tenant",
      [this.file],
    );
    return rows.map(({ name }) => name);
  }

  /** Whether any name is not of visible ASCII with single blanks between. */
  async hasOdd(): Promise<boolean> {
    const rows = await this.engine.rows(
      "SELECT 1 FROM read_parquet(?) WHERE NOT regexp_full_match(name, '[!-~]+( [!-~]+)*') LIMIT 1",
      [this.file],
    );
    return rows.length > 0;
  }

  /** Remembers what a row of the tenants says. */
  keep(number: number, name: string): void {
    if (this.names.size >= NAMES_KEPT) {
      this.names.clear();
      this.numbers.clear();
    }
    this.names.set(number, name);
    this.numbers.set(name, number);
  }
}
