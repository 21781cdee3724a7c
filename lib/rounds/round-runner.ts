import type { ChildProcess } from "node:child_process";
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { ImportSummary } from "../../contract/mapping.ts";
import type { Reading } from "../../contract/request.ts";
import type { AuditFacts, RoundProblem, RoundProgress, RoundSummary } from "../../contract/round-view.ts";
import type { Store } from "../store/open-store.ts";
import { RoundView } from "../store/round-view.ts";
import type { RoundRow } from "../store/schema.ts";
import { forkProcess } from "./forked-process.ts";
import { listedFacts } from "./round-card.ts";
import type { RoundJob, RoundMessage } from "./round-message.ts";

const PROCESS = "lib/rounds/round-process.ts";

type Ending =
  | Exclude<RoundMessage, { kind: "progress" }>
  | { kind: "failed"; message: string }
  | { kind: "cancelled" };

/** Every tenant that occurs in a round, from its view. */
function tenantsIn(viewPath: string): string[] {
  const view = new RoundView(viewPath);
  try {
    return view.tenantNames();
  } finally {
    view.close();
  }
}

/** Runs rounds one after the other, each in a process of its own, so that pages answer meanwhile. */
export class RoundRunner {
  private readonly store: Store;
  private readonly queue: string[] = [];
  private readonly progress = new Map<string, RoundProgress>();
  private readonly cancelled = new Set<string>();
  /** The round whose turn it is, from before its process starts until it is finished. */
  private active: string | null = null;
  /** Settles when that round is finished, however it ended. */
  private ended: Promise<void> = Promise.resolve();
  private child: ChildProcess | null = null;
  private isDraining = false;

  constructor(store: Store) {
    this.store = store;
  }

  /** Queues a round that is in the store. */
  enqueue(id: string): void {
    this.queue.push(id);
    void this.drain();
  }

  progressOf(id: string): RoundProgress | null {
    return this.progress.get(id) ?? null;
  }

  /** Cancels a round that waits or runs; what it had begun is thrown away. Answers when it has ended. */
  async cancel(id: string): Promise<boolean> {
    if (this.active === id) {
      this.cancelled.add(id);
      this.child?.kill("SIGKILL");
      await this.ended;
      return true;
    }
    const at = this.queue.indexOf(id);
    if (at < 0) return false;
    this.queue.splice(at, 1);
    await this.finish(id, { kind: "cancelled" });
    return true;
  }

  private async drain(): Promise<void> {
    if (this.isDraining) return;
    this.isDraining = true;
    for (let id = this.queue.shift(); id !== undefined; id = this.queue.shift()) {
      this.active = id;
      this.ended = this.runToItsEnd(id);
      await this.ended;
      this.active = null;
      this.cancelled.delete(id);
    }
    this.isDraining = false;
  }

  private async runToItsEnd(id: string): Promise<void> {
    try {
      await this.run(id);
    } catch (error) {
      console.error(`round ${id}:`, error);
      const message = error instanceof Error ? error.message : String(error);
      await this.finish(id, { kind: "failed", message });
    }
  }

  private async run(id: string): Promise<void> {
    const row = await this.store.rounds.get(id);
    if (row === null) return;
    const staging = this.store.stagingDir(id);
    await mkdir(staging, { recursive: true });
    await this.store.rounds.update(id, { state: "running" });
    const job = this.jobOf(row, staging);
    const ending = await this.inProcess(id, job);
    await this.finish(id, this.cancelled.has(id) ? { kind: "cancelled" } : ending, job);
    // Its ending is stored: from here on there is nothing to cancel.
    this.active = null;
    await rm(staging, { recursive: true, force: true });
  }

  private jobOf(row: RoundRow, staging: string): RoundJob {
    const { artifacts } = this.store;
    const isImported = row.raw_sha256 !== null && row.import === null;
    return {
      log: isImported ? { path: artifacts.path(row.raw_sha256!), mapping: row.mapping } : null,
      files: {
        contract: artifacts.path(row.contract_sha256),
        policy: artifacts.path(row.policy_sha256),
        input: isImported ? join(staging, "stream.jsonl") : artifacts.path(row.stream_sha256),
        report: row.audit === null ? join(staging, "report.json") : artifacts.path(row.report_sha256!),
      },
      view: join(staging, "view.sqlite"),
      reading: row.reading as Reading,
      audit: row.audit === null ? null : (JSON.parse(row.audit) as AuditFacts),
      faults: JSON.parse(row.faults) as string[],
      names: { contract: row.contract_name, policy: row.policy_name, input: row.stream_name },
    };
  }

  private async inProcess(id: string, job: RoundJob): Promise<Ending> {
    let ending: Ending | null = null;
    const { child, ended } = forkProcess<RoundJob, RoundMessage>(PROCESS, job, (message) => {
      if (message.kind === "progress") this.progress.set(id, message.progress);
      else ending = message;
    });
    this.child = child;
    // Cancelled while the process was being made ready: it must not begin.
    if (this.cancelled.has(id)) child.kill("SIGKILL");
    const { code, signal, error } = await ended;
    this.child = null;
    this.progress.delete(id);
    if (ending !== null) return ending;
    return { kind: "failed", message: error ?? `the round's process ended (${signal ?? `status ${code}`})` };
  }

  private async finish(id: string, ending: Ending, job?: RoundJob): Promise<void> {
    const finished_at_ms = Date.now();
    if (ending.kind === "done" && job !== undefined) return this.keep(id, ending, job, finished_at_ms);
    const failure = (message: string): RoundProblem => ({
      message,
      status: 2,
      documents: [],
      lines: [],
      line_count: 0,
    });
    const problem =
      ending.kind === "refused"
        ? ending.problem
        : failure(ending.kind === "failed" ? ending.message : "Cancelled");
    const state = ending.kind === "done" ? "failed" : ending.kind;
    const imported = ending.kind === "refused" ? ending.imported : null;
    await this.store.rounds.update(id, {
      state,
      finished_at_ms,
      problem: JSON.stringify(problem),
      ...(imported === null ? {} : { import: JSON.stringify(imported) }),
    });
  }

  /** The files become artifacts first; then one statement makes the round a finished one. */
  private async keep(
    id: string,
    { summary, imported }: { summary: RoundSummary; imported: ImportSummary | null },
    job: RoundJob,
    finished_at_ms: number,
  ): Promise<void> {
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
