import { join } from "node:path";
import type { ImportSummary } from "../../contract/mapping.ts";
import type { Reading } from "../../contract/request.ts";
import type { AuditFacts, RoundProblem, RoundProgress, RoundSummary } from "../../contract/round-view.ts";
import type { Store } from "../store/open-store.ts";
import { RoundView } from "../store/round-view.ts";
import type { RoundRow } from "../store/schema.ts";
import { ProcessQueue, type QueuedWork, type Stopped } from "./process-queue.ts";
import { listedFacts } from "./round-card.ts";
import { logToImport } from "./round-import.ts";
import type { RoundJob, RoundMessage } from "./round-message.ts";

type RoundEnding = Exclude<RoundMessage, { kind: "progress" }>;

/** The rounds that wait and run. */
export type RoundQueue = ProcessQueue<RoundJob, RoundEnding, RoundProgress>;

/** @param onEnded told of each round when its ending is stored */
export const roundQueue = (store: Store, onEnded: (id: string) => void): RoundQueue =>
  new ProcessQueue(store, new RoundWork(store), onEnded);

/** Every tenant that occurs in a round, from its view. */
function tenantsIn(viewPath: string): string[] {
  const view = new RoundView(viewPath);
  try {
    return view.tenantNames();
  } finally {
    view.close();
  }
}

/** A round as a queue works it out: from its stored inputs to artifacts, and one statement that makes it a finished one. */
class RoundWork implements QueuedWork<RoundJob, RoundEnding> {
  readonly noun = "round";
  readonly script = "lib/rounds/round-process.ts";
  private readonly store: Store;

  constructor(store: Store) {
    this.store = store;
  }

  folderOf(id: string): string {
    return id;
  }

  async begin(id: string, folder: string): Promise<RoundJob | null> {
    const row = await this.store.rounds.get(id);
    if (row === null) return null;
    await this.store.rounds.update(id, { state: "running" });
    return this.jobOf(row, folder);
  }

  async finish(id: string, ending: RoundEnding, job: RoundJob): Promise<void> {
    if (ending.kind === "done") return this.keep(id, ending, job);
    const { problem, imported } = ending;
    await this.store.rounds.update(id, {
      state: "refused",
      finished_at_ms: Date.now(),
      problem: JSON.stringify(problem),
      ...(imported === null ? {} : { import: JSON.stringify(imported) }),
    });
  }

  async stop(id: string, stopped: Stopped): Promise<void> {
    const message = stopped.kind === "failed" ? stopped.message : "Cancelled";
    const problem: RoundProblem = { message, status: 2, documents: [], lines: [], line_count: 0 };
    await this.store.rounds.update(id, {
      state: stopped.kind,
      finished_at_ms: Date.now(),
      problem: JSON.stringify(problem),
    });
  }

  private jobOf(row: RoundRow, staging: string): RoundJob {
    const { artifacts } = this.store;
    const log = logToImport(this.store, row);
    return {
      log,
      files: {
        contract: artifacts.path(row.contract_sha256),
        policy: artifacts.path(row.policy_sha256),
        input: log !== null ? join(staging, "stream.jsonl") : artifacts.path(row.stream_sha256),
        report: row.audit === null ? join(staging, "report.json") : artifacts.path(row.report_sha256!),
      },
      view: join(staging, "view.sqlite"),
      reading: row.reading as Reading,
      audit: row.audit === null ? null : (JSON.parse(row.audit) as AuditFacts),
      faults: JSON.parse(row.faults) as string[],
      names: { contract: row.contract_name, policy: row.policy_name, input: row.stream_name },
    };
  }

  /** The files become artifacts first; then one statement makes the round a finished one. */
  private async keep(
    id: string,
    { summary, imported }: { summary: RoundSummary; imported: ImportSummary | null },
    job: RoundJob,
  ): Promise<void> {
    const finished_at_ms = Date.now();
    const report = job.audit === null ? await this.store.artifacts.adopt(job.files.report) : null;
    const view = await this.store.artifacts.adopt(job.view);
    const stream = imported === null ? null : await this.store.artifacts.adopt(job.files.input);
    await this.store.rounds.addTenants(id, tenantsIn(this.store.artifacts.path(view.sha256)));
    await this.store.rounds.update(id, {
      ...(stream === null
        ? {}
        : { stream_sha256: stream.sha256, stream_bytes: stream.bytes, import: JSON.stringify(imported) }),
      state: "done",
      finished_at_ms,
      ...(report === null ? {} : { report_sha256: report.sha256 }),
      view_sha256: view.sha256,
      summary: JSON.stringify(summary),
      ...listedFacts(summary),
    });
  }
}
