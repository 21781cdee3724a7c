import type { ChildProcess } from "node:child_process";
import { mkdir, rm } from "node:fs/promises";
import type { StudyKind, StudyProgress } from "../../contract/study.ts";
import type { Store } from "../store/open-store.ts";
import { forkProcess } from "./forked-process.ts";
import type { StudyJob, StudyMessage, StudyQuestion } from "./study-message.ts";

const PROCESS = "lib/rounds/study-process.ts";

type Ending = Exclude<StudyMessage, { kind: "progress" }>;

/** Works studies out one after the other, each in a process of its own, beside the one that runs rounds. */
export class StudyRunner {
  private readonly store: Store;
  private readonly ask: (kind: StudyKind, inputs: string) => StudyQuestion;
  private readonly queue: string[] = [];
  private readonly progress = new Map<string, StudyProgress>();
  private readonly cancelled = new Set<string>();
  private active: string | null = null;
  private child: ChildProcess | null = null;
  private isDraining = false;

  /** @param ask a study's stored inputs as what its process is asked */
  constructor(store: Store, ask: (kind: StudyKind, inputs: string) => StudyQuestion) {
    this.store = store;
    this.ask = ask;
  }

  /** Queues a study that is in the store. */
  enqueue(id: string): void {
    this.queue.push(id);
    void this.drain();
  }

  progressOf(id: string): StudyProgress | null {
    return this.progress.get(id) ?? null;
  }

  /** Cancels a study that waits or runs; what it had found is thrown away. */
  async cancel(id: string): Promise<boolean> {
    if (this.active === id) {
      this.cancelled.add(id);
      this.child?.kill("SIGKILL");
      return true;
    }
    const at = this.queue.indexOf(id);
    if (at < 0) return false;
    this.queue.splice(at, 1);
    await this.fail(id, "cancelled", "Cancelled");
    return true;
  }

  private async drain(): Promise<void> {
    if (this.isDraining) return;
    this.isDraining = true;
    for (let id = this.queue.shift(); id !== undefined; id = this.queue.shift()) {
      this.active = id;
      try {
        await this.run(id);
      } catch (error) {
        console.error(`study ${id}:`, error);
        await this.fail(id, "failed", error instanceof Error ? error.message : String(error));
      }
      this.active = null;
      this.cancelled.delete(id);
    }
    this.isDraining = false;
  }

  private async run(id: string): Promise<void> {
    const row = await this.store.studies.get(id);
    if (row === null) return;
    const folder = this.store.stagingDir(`study-${id}`);
    await mkdir(folder, { recursive: true });
    await this.store.studies.update(id, { state: "running" });
    const ending = await this.inProcess(id, { folder, ...this.ask(row.kind as StudyKind, row.inputs) });
    if (this.cancelled.has(id)) await this.fail(id, "cancelled", "Cancelled");
    else if (ending.kind === "refused") await this.fail(id, "failed", ending.message);
    else await this.keep(id, ending, JSON.parse(row.artifacts) as string[]);
    this.active = null;
    await rm(folder, { recursive: true, force: true });
  }

  private async inProcess(id: string, job: StudyJob): Promise<Ending> {
    let ending: Ending | null = null;
    const { child, ended } = forkProcess<StudyJob, StudyMessage>(PROCESS, job, (message) => {
      if (message.kind === "progress") this.progress.set(id, message.progress);
      else ending = message;
    });
    this.child = child;
    if (this.cancelled.has(id)) child.kill("SIGKILL");
    const { code, signal, error } = await ended;
    this.child = null;
    this.progress.delete(id);
    if (ending !== null) return ending;
    return {
      kind: "refused",
      message: error ?? `the study's process ended (${signal ?? `status ${code}`})`,
    };
  }

  /** The files become artifacts first; then one statement makes the study a finished one. */
  private async keep(
    id: string,
    ending: Extract<Ending, { kind: "done" }>,
    artifacts: string[],
  ): Promise<void> {
    const kept: string[] = [];
    for (const file of ending.files ?? []) kept.push((await this.store.artifacts.adopt(file)).sha256);
    const rows = ending.rows === undefined ? null : (await this.store.artifacts.adopt(ending.rows)).sha256;
    await this.store.studies.update(id, {
      state: "done",
      finished_at_ms: Date.now(),
      artifacts: JSON.stringify([...artifacts, ...kept]),
      result: JSON.stringify(ending.result),
      result_sha256: rows,
    });
  }

  private async fail(id: string, state: "failed" | "cancelled", problem: string): Promise<void> {
    await this.store.studies.update(id, { state, finished_at_ms: Date.now(), problem });
  }
}
