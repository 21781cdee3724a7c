import { basename, join } from "node:path";
import type { ImportSummary } from "../../contract/mapping.ts";
import type { Reading } from "../../contract/request.ts";
import type { AuditFacts, RoundProblem, RoundProgress, RoundSummary } from "../../contract/round-view.ts";
import { sealSentence } from "../../contract/seal.ts";
import type { Store } from "../store/open-store.ts";
import type { RoundRow } from "../store/schema.ts";
import { digestsIn, readStoredView, storedView, TRIED_AGAIN } from "../store/stored-view.ts";
import { type ViewFiles, viewFilesIn } from "../store/view-format.ts";
import { fileFindings, holdKept, judgedFiles, type NamedFile, type Refusal } from "./file-seals.ts";
import { ProcessQueue, type QueuedWork, type Stopped } from "./process/process-queue.ts";
import { listedFacts } from "./round-card.ts";
import type { RoundJob, RoundMessage } from "./run/round-message.ts";
import { logToImport } from "./sharing/round-import.ts";

type RoundEnding = Exclude<RoundMessage, { kind: "progress" }>;

/** The rounds that wait and run. */
export type RoundQueue = ProcessQueue<RoundJob, RoundEnding, RoundProgress>;

/** @param onEnded told of each round when its ending is stored */
export const roundQueue = (store: Store, onEnded: (id: string) => void): RoundQueue =>
  new ProcessQueue(store, new RoundWork(store), onEnded);

const OTHER_REPORT =
  "This version makes another report of the round's inputs than the one that is stored, so its rows would not be those that were judged. The stored report and its verdict stay as they are.";

const NOT_DECIDED: Refusal = { not: "Not decided", was: "submitted" };

/** What a round's process reads. A report that the engine made is made again, and compared with the one that was judged. */
const readFiles = (row: RoundRow): NamedFile[] =>
  judgedFiles(row).filter(([what]) => row.audit !== null || what !== "report");

/** A round as a queue works it out: from its stored inputs to artifacts, and one statement that makes it a finished one. */
class RoundWork implements QueuedWork<RoundJob, RoundEnding> {
  readonly noun = "round";
  readonly script = "lib/rounds/run/round-process.ts";
  private readonly store: Store;
  /** Looks again at what the round that runs reads. */
  private stillKept: () => Promise<void> = async () => {};

  constructor(store: Store) {
    this.store = store;
  }

  folderOf(id: string): string {
    return id;
  }

  async begin(id: string, folder: string): Promise<RoundJob | null> {
    const row = await this.store.rounds.get(id);
    const viewOnly = row?.state === "done";
    if (row === null || (viewOnly && readStoredView(row.view) !== null)) return null;
    if (viewOnly && (await this.otherInputs(row))) return null;
    if (!viewOnly) await this.store.rounds.update(id, { state: "running" });
    this.stillKept = await holdKept(this.store, readFiles(row), NOT_DECIDED);
    return this.jobOf(row, folder, viewOnly);
  }

  async finish(id: string, ending: RoundEnding, job: RoundJob): Promise<void> {
    await this.stillKept();
    const { unreferenced } = this.store;
    if (ending.kind === "viewed") return unreferenced.storing(() => this.keepView(id, job));
    if (ending.kind === "done") return unreferenced.storing(() => this.keep(id, ending, job));
    if (job.viewOnly) return this.noView(id, ending.problem.message);
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
    // A finished round stays what it came to, whatever becomes of its view.
    if ((await this.store.rounds.get(id))?.state === "done") return this.noView(id, TRIED_AGAIN + message);
    const problem: RoundProblem = { message, status: 2, documents: [], lines: [], line_count: 0 };
    await this.store.rounds.update(id, {
      state: stopped.kind,
      finished_at_ms: Date.now(),
      problem: JSON.stringify(problem),
    });
  }

  private jobOf(row: RoundRow, staging: string, viewOnly: boolean): RoundJob {
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
      view: { files: viewFilesIn(staging), temporary: join(staging, "queries") },
      viewOnly,
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
    const view = await this.adoptView(job);
    const stream = imported === null ? null : await this.store.artifacts.adopt(job.files.input);
    await this.noteTenants(id, view);
    await this.store.rounds.finish(id, {
      ...(stream === null
        ? {}
        : { stream_sha256: stream.sha256, stream_bytes: stream.bytes, import: JSON.stringify(imported) }),
      state: "done",
      finished_at_ms,
      ...(report === null ? {} : { report_sha256: report.sha256 }),
      view: storedView(view),
      summary: JSON.stringify(summary),
      ...listedFacts(summary),
    });
    // The log is let go: an artifact's file has its digest for a name.
    if (imported !== null && job.log !== null) await this.store.unreferenced.letGo([basename(job.log.path)]);
  }

  /**
   * A view that was made again becomes the round's, if it is of the same report: what was stored is what was judged, and
   * rows of another report must not be shown for it.
   */
  private async keepView(id: string, job: RoundJob): Promise<void> {
    const row = await this.store.rounds.get(id);
    if (row === null) return;
    if (job.audit === null && (await this.store.artifacts.digestFile(job.files.report)) !== row.report_sha256)
      return this.noView(id, OTHER_REPORT);
    const view = await this.adoptView(job);
    await this.noteTenants(id, view);
    await this.store.rounds.giveView(id, storedView(view));
    const { view_sha256, view: former } = row;
    await this.store.unreferenced.letGo([
      ...(view_sha256 === null ? [] : [view_sha256]),
      ...(former === null ? [] : digestsIn(former)),
    ]);
  }

  /** Rows are made of what was judged or not at all. Noted, where it is not at hand. */
  private async otherInputs(row: RoundRow): Promise<boolean> {
    const findings = await fileFindings(this.store, readFiles(row), true);
    if (findings.length === 0) return false;
    const why = findings.map((finding) => sealSentence(finding)).join("; ");
    await this.noView(row.id, `${TRIED_AGAIN}${why}`);
    return true;
  }

  private noView(id: string, view_problem: string): Promise<void> {
    return this.store.rounds.update(id, { view_problem });
  }

  private async adoptView({ view: { files } }: RoundJob): Promise<ViewFiles> {
    const adopt = async (path: string) => (await this.store.artifacts.adopt(path)).sha256;
    return {
      tenants: await adopt(files.tenants),
      decisions: await adopt(files.decisions),
      groups: await adopt(files.groups),
      places: await adopt(files.places),
      orders: await adopt(files.orders),
    };
  }

  /** Notes every tenant that occurs in a round, so that the list finds it by them. */
  private async noteTenants(id: string, digests: ViewFiles): Promise<void> {
    const view = await this.store.views.view(digests);
    await this.store.rounds.addTenants(id, await view.tenantNames());
  }
}
