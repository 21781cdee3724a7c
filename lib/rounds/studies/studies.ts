import { sealSentence } from "../../../contract/seal.ts";
import type { StudyItem, StudyKind, StudyState } from "../../../contract/study.ts";
import type { Store } from "../../store/open-store.ts";
import { studyChange } from "../../store/row-seal.ts";
import type { StudyRow } from "../../store/schema.ts";
import { fileFindings } from "../file-seals.ts";
import { newId } from "../submission.ts";
import { type AskStudy, type StudyQueue, studyQueue } from "./study-work.ts";

/** A study that is to be worked out. */
export interface NewQuestion<Inputs> {
  kind: StudyKind;
  name: string;
  /** What tells studies of the same question; a study of it that is there already is taken. Null: always a new one. */
  question: string | null;
  inputs: Inputs;
  /** Digests of the artifacts that it needs: they are kept as long as it is. */
  artifacts: string[];
}

/** A study with what it is about; `rows` is the file of rows that its pages query. */
interface FoundStudy<Inputs, Result> {
  item: StudyItem<Result>;
  inputs: Inputs;
  rows: string | null;
}

const NOT_AS_FOUND =
  "What is stored is not what was found, and counts no longer; it can be worked out again: ";

/** Whether a finished study's row is not what was written when it ended, in words; null where it is. */
function rowChange(row: StudyRow): string | null {
  const changed = row.state === "done" ? studyChange(row) : null;
  if (changed === null) return null;
  const expected =
    changed.expected === null ? "the one that it was written with is gone" : `expected ${changed.expected}`;
  return `${NOT_AS_FOUND}the SHA-256 of its row in the database is ${changed.found}, ${expected}.`;
}

/** Studies as they are kept and worked out, whatever they are about. */
export class Studies {
  private readonly store: Store;
  private readonly queue: StudyQueue;

  constructor(store: Store, ask: AskStudy) {
    this.store = store;
    this.queue = studyQueue(store, ask);
  }

  /** Begins again what a process that ended had not finished. */
  async resume(): Promise<void> {
    for (const { id } of await this.store.studies.unfinished()) this.queue.enqueue(id);
  }

  /** Starts a study, or finds the one that answers the same question. */
  async start<Inputs>({ kind, name, question, inputs, artifacts }: NewQuestion<Inputs>): Promise<string> {
    const known = question === null ? null : await this.store.studies.find(kind, question);
    // One that is not what was found is worked out anew.
    if (known !== null && (await this.changeOf(known)) === null) return known.id;
    const now_ms = Date.now();
    const id = newId(now_ms);
    await this.store.studies.insert({
      id,
      kind,
      name,
      question: question ?? id,
      state: "waiting",
      created_at_ms: now_ms,
      inputs: JSON.stringify(inputs),
      artifacts: JSON.stringify(artifacts),
    });
    this.queue.enqueue(id);
    return id;
  }

  /** A study of a kind with its inputs; null where there is none. */
  async get<Inputs, Result>(kind: StudyKind, id: string): Promise<FoundStudy<Inputs, Result> | null> {
    const row = await this.store.studies.get(id);
    return row === null || row.kind !== kind ? null : this.found(row);
  }

  /** The latest study of a question, however it stands; null where nobody has asked. It starts nothing. */
  async latest<Inputs, Result>(
    kind: StudyKind,
    question: string,
  ): Promise<FoundStudy<Inputs, Result> | null> {
    const row = await this.store.studies.latest(kind, question);
    return row === null ? null : this.found(row);
  }

  /** The latest studies of a kind. */
  async list<Result>(kind: StudyKind, limit: number): Promise<StudyItem<Result>[]> {
    return (await this.store.studies.list(kind, limit)).map((row) => this.item<Result>(row, rowChange(row)));
  }

  /** Notes something beside a study's inputs; of one that was changed by hand nothing is. */
  async note<Inputs>(id: string, inputs: Inputs): Promise<void> {
    const row = await this.store.studies.get(id);
    if (row !== null && rowChange(row) === null)
      await this.store.studies.finish(id, { inputs: JSON.stringify(inputs) });
  }

  cancel(id: string): Promise<boolean> {
    return this.queue.cancel(id);
  }

  async remove(id: string): Promise<boolean> {
    await this.queue.cancel(id);
    const referred = await this.store.studies.remove(id);
    if (referred !== null) await this.store.unreferenced.letGo(referred);
    return referred !== null;
  }

  private async found<Inputs, Result>(row: StudyRow): Promise<FoundStudy<Inputs, Result>> {
    const changed = await this.changeOf(row);
    return {
      item: this.item<Result>(row, changed),
      inputs: JSON.parse(row.inputs) as Inputs,
      rows:
        row.result_sha256 === null || changed !== null ? null : this.store.artifacts.path(row.result_sha256),
    };
  }

  /** What of a finished study is not what was found, in words; null where all is. */
  private async changeOf(row: StudyRow): Promise<string | null> {
    const changed = rowChange(row);
    if (changed !== null || row.state !== "done" || row.result_sha256 === null) return changed;
    const [finding] = await fileFindings(this.store, [["file of what differs", row.result_sha256]], true);
    return finding === undefined ? null : `${NOT_AS_FOUND}${sealSentence(finding, { was: "found" })}`;
  }

  /** @param changed what of it is not what was found: then nothing of it is an answer */
  private item<Result>(row: StudyRow, changed: string | null): StudyItem<Result> {
    const told = {
      id: row.id,
      name: row.name,
      created_at_ms: row.created_at_ms,
      finished_at_ms: row.finished_at_ms,
      progress: this.queue.progressOf(row.id),
    };
    if (changed !== null) return { ...told, state: "failed", problem: changed, result: null };
    const result = row.result === null ? null : (JSON.parse(row.result) as Result);
    return { ...told, state: row.state as StudyState, problem: row.problem, result };
  }
}
