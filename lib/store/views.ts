import type { Artifacts } from "./artifacts.ts";
import { QueryEngine } from "./query-engine.ts";
import { RoundView } from "./round-view.ts";
import { storedView } from "./stored-view.ts";
import type { ViewFiles } from "./view-format.ts";

/** Views remembered, with the totals and names that were asked for; none holds a file open. */
const VIEWS_KEPT = 64;

/** The views of finished rounds. DuckDB is started when the first is asked for. */
export class Views {
  private readonly artifacts: Artifacts;
  private readonly temporary: string;
  private engine: Promise<QueryEngine> | null = null;
  private readonly views = new Map<string, RoundView>();

  /** @param temporary a folder for what does not fit DuckDB's memory; swept at the next start */
  constructor(artifacts: Artifacts, temporary: string) {
    this.artifacts = artifacts;
    this.temporary = temporary;
  }

  /** The view of some files, by their digests. */
  async view(digests: ViewFiles): Promise<RoundView> {
    this.engine ??= QueryEngine.open([this.artifacts.folder], this.temporary);
    const engine = await this.engine;
    const key = storedView(digests);
    const view = this.views.get(key) ?? new RoundView(engine, this.paths(digests));
    this.views.delete(key);
    this.views.set(key, view);
    if (this.views.size > VIEWS_KEPT) this.views.delete(this.views.keys().next().value!);
    return view;
  }

  async close(): Promise<void> {
    (await this.engine)?.close();
  }

  private paths({ tenants, decisions, groups, places, orders }: ViewFiles): ViewFiles {
    const path = (sha256: string) => this.artifacts.path(sha256);
    return {
      tenants: path(tenants),
      decisions: path(decisions),
      groups: path(groups),
      places: path(places),
      orders: path(orders),
    };
  }
}
