import type { StudyKind, StudyProgress } from "../../../contract/study.ts";
import type { Store } from "../../store/open-store.ts";
import { holdKept, type NamedFile, type Refusal } from "../file-seals.ts";
import { ProcessQueue, type QueuedWork, type Stopped } from "../process/process-queue.ts";
import type { StudyJob, StudyMessage, StudyQuestion } from "./study-message.ts";

type StudyEnding = Exclude<StudyMessage, { kind: "progress" }>;

/** The studies that wait and run. */
export type StudyQueue = ProcessQueue<StudyJob, StudyEnding, StudyProgress>;

/** How a study's stored inputs become what its process is asked, and which stored files it reads. */
export type AskStudy = (kind: StudyKind, inputs: string) => AskedStudy;

export interface AskedStudy {
  question: StudyQuestion;
  files: NamedFile[];
}

const REFUSAL: Refusal = { not: "Not worked out", was: "judged" };

/** A queue of studies, beside the one of rounds. */
export const studyQueue = (store: Store, ask: AskStudy): StudyQueue =>
  new ProcessQueue(store, new StudyWork(store, ask));

/** A study as a queue works it out: what it found is kept in one statement. */
class StudyWork implements QueuedWork<StudyJob, StudyEnding> {
  readonly noun = "study";
  readonly script = "lib/rounds/studies/study-process.ts";
  private readonly store: Store;
  private readonly ask: AskStudy;
  /** Looks again at what the study that runs reads. */
  private stillKept: () => Promise<void> = async () => {};

  constructor(store: Store, ask: AskStudy) {
    this.store = store;
    this.ask = ask;
  }

  folderOf(id: string): string {
    return `study-${id}`;
  }

  async begin(id: string, folder: string): Promise<StudyJob | null> {
    const row = await this.store.studies.get(id);
    if (row === null) return null;
    await this.store.studies.update(id, { state: "running" });
    const { question, files } = this.ask(row.kind as StudyKind, row.inputs);
    this.stillKept = await holdKept(this.store, files, REFUSAL);
    return { folder, ...question };
  }

  async finish(id: string, ending: StudyEnding): Promise<void> {
    await this.stillKept();
    if (ending.kind === "refused") return this.stop(id, { kind: "failed", message: ending.message });
    return this.store.unreferenced.storing(() => this.keep(id, ending));
  }

  async stop(id: string, stopped: Stopped): Promise<void> {
    const problem = stopped.kind === "failed" ? stopped.message : "Cancelled";
    await this.store.studies.update(id, { state: stopped.kind, finished_at_ms: Date.now(), problem });
  }

  /** The files become artifacts first; then one statement makes the study a finished one. */
  private async keep(id: string, ending: Extract<StudyEnding, { kind: "done" }>): Promise<void> {
    const row = await this.store.studies.get(id);
    if (row === null) return;
    const kept: string[] = [];
    for (const file of ending.files ?? []) kept.push((await this.store.artifacts.adopt(file)).sha256);
    const rows = ending.rows === undefined ? null : (await this.store.artifacts.adopt(ending.rows)).sha256;
    await this.store.studies.finish(id, {
      state: "done",
      finished_at_ms: Date.now(),
      artifacts: JSON.stringify([...(JSON.parse(row.artifacts) as string[]), ...kept]),
      result: JSON.stringify(ending.result),
      result_sha256: rows,
    });
  }
}
