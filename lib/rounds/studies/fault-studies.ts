import { stat } from "node:fs/promises";
import type { FaultRow, FaultStudy, LabRowInfo } from "../../../contract/fault-study.ts";
import type { Reading } from "../../../contract/request.ts";
import type { StudyItem } from "../../../contract/study.ts";
import type { Store } from "../../store/open-store.ts";
import { keptText, telling } from "../file-seals.ts";
import { demandEntries } from "../round-seals.ts";
import type { RoundsService } from "../service.ts";
import { logToImport } from "../sharing/round-import.ts";
import {
  type StoredInputs,
  type SubmitResult,
  type SubmittedInputs,
  storing,
  takeInputs,
} from "../submission.ts";
import { LAB_ROWS, labRows } from "./fault-rows.ts";
import type { Studies } from "./studies.ts";
import { inputFiles, inputPaths } from "./study-inputs.ts";
import type { AskedStudy } from "./study-work.ts";

/** What a fault study is made from, as it is kept; and the rounds that were made from it since. */
export interface FaultStudyInputs extends StoredInputs {
  rows: string[];
  most_requests: number;
  /** The round whose stream it is; null for one that was given to the lab. */
  round_id: string | null;
  made: MadeRound[];
}

/** A round made from a row of a study: with its faults over the stream, or over the smallest stream. */
interface MadeRound {
  row: string;
  over: "stream" | "smallest";
  round_id: string;
}

/** Most valid requests that may be asked for. */
const MOST_REQUESTS = 5_000_000;
const LISTED = 30;

/** What is wrong with what is asked for; null where nothing is. */
function askedFor(rows: string[], most_requests: number): SubmitResult | null {
  const problem = (message: string): SubmitResult => ({
    ok: false,
    problems: [{ file: "faults", path: "", message }],
  });
  try {
    if (labRows(rows).length === 0) return problem("are none; choose at least one");
  } catch (error) {
    return problem((error as Error).message);
  }
  return Number.isInteger(most_requests) && most_requests >= 1 && most_requests <= MOST_REQUESTS
    ? null
    : problem(`over ${most_requests} requests; expected 1 … ${MOST_REQUESTS}`);
}

/** The use cases of the fault lab. */
export class FaultStudies {
  private readonly store: Store;
  private readonly rounds: RoundsService;
  private readonly studies: Studies;

  constructor(store: Store, rounds: RoundsService, studies: Studies) {
    this.store = store;
    this.rounds = rounds;
    this.studies = studies;
  }

  /** What can be tried. */
  rows(): LabRowInfo[] {
    return LAB_ROWS.map(({ id, title, summary, clause, kind }) => ({ id, title, summary, clause, kind }));
  }

  /** Starts a study of given inputs. */
  async start(inputs: SubmittedInputs, rows: string[], most_requests: number): Promise<SubmitResult> {
    // What is asked for is judged first: an upload that was taken for nothing would have to be sent again.
    const problem = askedFor(rows, most_requests);
    if (problem !== null) return problem;
    return storing(this.store, inputs.stream.name, async () => {
      const taken = await takeInputs(this.store, inputs);
      return taken.ok ? this.begin(taken.stored, null, inputs.stream.name, rows, most_requests) : taken;
    });
  }

  /** Starts a study of a stored round's inputs. */
  async startOfRound(round_id: string, rows: string[], most_requests: number): Promise<SubmitResult> {
    const problem = askedFor(rows, most_requests);
    if (problem !== null) return problem;
    return storing(this.store, "study", async () => {
      const row = await this.store.rounds.get(round_id);
      if (row === null)
        return {
          ok: false,
          problems: [{ file: "round", path: "", message: "is not there; choose another" }],
        };
      return telling(row.name, async () => {
        demandEntries([row]);
        return this.begin(row, round_id, row.name, rows, most_requests);
      });
    });
  }

  /** The latest studies, without what they found. */
  async list(): Promise<StudyItem<null>[]> {
    return (await this.studies.list("faults", LISTED)).map((item) => ({ ...item, result: null }));
  }

  async get(id: string): Promise<{ item: StudyItem<FaultStudy>; inputs: FaultStudyInputs } | null> {
    return this.studies.get<FaultStudyInputs, FaultStudy>("faults", id);
  }

  /** The round of a row: made at the first call, found again at every other. Null where there is no such row. */
  async roundOf(id: string, rowId: string, over: MadeRound["over"]): Promise<SubmitResult | null> {
    const study = await this.get(id);
    const row = study?.item.result?.rows.find((candidate) => candidate.id === rowId);
    if (study == null || row === undefined) return null;
    const { inputs } = study;
    const made = inputs.made.find((round) => round.row === rowId && round.over === over);
    if (made !== undefined && (await this.store.rounds.get(made.round_id)) !== null)
      return { ok: true, id: made.round_id };
    const started = await telling(inputs.stream_name, async () => {
      const submission = await this.submissionOf(study.item.result!, inputs, row, over);
      return submission === null ? null : this.rounds.submit({ ...submission, faults: row.faults });
    });
    if (!started?.ok) return started;
    const now = { row: rowId, over, round_id: started.id };
    // The round is there in any case; where the disk takes no note of it, the next call makes another.
    await this.studies
      .note(id, { ...inputs, made: [...inputs.made.filter((round) => round !== made), now] })
      .catch(console.error);
    return started;
  }

  /** The smallest stream of a row; null where there is none. */
  async smallest(id: string, rowId: string): Promise<{ name: string; text: string } | null> {
    const row = (await this.get(id))?.item.result?.rows.find((candidate) => candidate.id === rowId);
    return row?.smallest == null ? null : { name: `${rowId}.jsonl`, text: row.smallest.stream };
  }

  private async begin(
    stored: StoredInputs,
    round_id: string | null,
    name: string,
    rows: string[],
    most_requests: number,
  ): Promise<SubmitResult> {
    const inputs: FaultStudyInputs = {
      reading: stored.reading,
      contract_name: stored.contract_name,
      contract_sha256: stored.contract_sha256,
      policy_name: stored.policy_name,
      policy_sha256: stored.policy_sha256,
      stream_name: stored.stream_name,
      stream_sha256: stored.stream_sha256,
      stream_bytes: stored.stream_bytes,
      raw_sha256: stored.raw_sha256 ?? null,
      mapping: stored.mapping ?? null,
      rows,
      most_requests,
      round_id,
      made: [],
    };
    const artifacts = [stored.contract_sha256, stored.policy_sha256, stored.stream_sha256];
    const id = await this.studies.start({ kind: "faults", name, question: null, inputs, artifacts });
    return { ok: true, id };
  }

  private async submissionOf(
    { stream_sha256 }: FaultStudy,
    inputs: FaultStudyInputs,
    row: FaultRow,
    over: MadeRound["over"],
  ) {
    const text = (what: string, sha256: string) => keptText(this.store, [what, sha256]);
    const documents = {
      contract: { name: inputs.contract_name, text: await text("contract", inputs.contract_sha256) },
      policy: { name: inputs.policy_name, text: await text("policy", inputs.policy_sha256) },
    };
    if (over === "smallest") {
      const { smallest } = row;
      if (smallest === null) return null;
      const own = smallest.documents;
      return {
        name: `Smallest stream for “${row.title}”`,
        reading: "strict" as const,
        contract: own === null ? documents.contract : { name: `${row.id}.contract.json`, text: own.contract },
        policy: own === null ? documents.policy : { name: `${row.id}.policy.json`, text: own.policy },
        stream: { kind: "text" as const, name: `${row.id}.jsonl`, text: smallest.stream },
      };
    }
    const sha256 = stream_sha256 ?? inputs.stream_sha256;
    const { size: bytes } = await stat(this.store.artifacts.path(sha256));
    return {
      name: `${inputs.stream_name}, ${row.title.toLowerCase()}`,
      // What the lab studied has no bad lines: they were left out.
      reading: "strict" as const,
      ...documents,
      stream: { kind: "stored" as const, name: inputs.stream_name, sha256, bytes },
    };
  }
}

/** A fault study's stored inputs as what its process is asked. */
export function askFaults(store: Store, inputs: FaultStudyInputs): AskedStudy {
  const reading = inputs.reading as Reading;
  const question = {
    kind: "faults" as const,
    inputs: inputPaths(store.artifacts, { ...inputs, reading }),
    log: logToImport(store, inputs),
    stream_name: inputs.stream_name,
    rows: inputs.rows,
    most_requests: inputs.most_requests,
  };
  return { question, files: inputFiles(inputs) };
}
