import type { Reading } from "../../../contract/request.ts";
import type { Page } from "../../../contract/round-view.ts";
import type { StartStateRow, StartStates, StartStateTenant } from "../../../contract/start-states.ts";
import type { StudyItem } from "../../../contract/study.ts";
import type { Store } from "../../store/open-store.ts";
import type { RoundRow } from "../../store/schema.ts";
import { type StartStateQuery, StartStateRows } from "../../store/start-state-rows.ts";
import { demandEntries } from "../round-seals.ts";
import type { Studies } from "./studies.ts";
import { inputFiles, inputPaths } from "./study-inputs.ts";
import type { AskedStudy } from "./study-work.ts";

/** What a round's start states are found from: faults and report play no part. */
export interface StartStateInputs {
  contract_sha256: string;
  policy_sha256: string;
  stream_sha256: string;
  reading: Reading;
}

const inputsOf = (row: RoundRow): StartStateInputs => ({
  contract_sha256: row.contract_sha256,
  policy_sha256: row.policy_sha256,
  stream_sha256: row.stream_sha256,
  reading: row.reading as Reading,
});

/** The use cases of start states: a round decided from full and from empty, on request. */
export class StartStateStudies {
  private readonly store: Store;
  private readonly studies: Studies;

  constructor(store: Store, studies: Studies) {
    this.store = store;
    this.studies = studies;
  }

  /** Begins to find a round's start states, or finds them begun already. Null where there is no such round; NotAsJudged where its row is another one. */
  async start(round_id: string): Promise<string | null> {
    const row = await this.store.rounds.get(round_id);
    if (row === null) return null;
    demandEntries([row]);
    const inputs = inputsOf(row);
    return this.studies.start({
      kind: "start-states",
      name: row.name,
      question: JSON.stringify(inputs),
      inputs,
      artifacts: [inputs.contract_sha256, inputs.policy_sha256, inputs.stream_sha256],
    });
  }

  /** A round's start states; null where nobody has asked for them. */
  async find(round_id: string): Promise<StudyItem<StartStates> | null> {
    return (await this.study(round_id))?.item ?? null;
  }

  /** A window of the decisions that depend on the start; null where they were not found (yet). */
  async rows(round_id: string, query: StartStateQuery): Promise<Page<StartStateRow> | null> {
    return this.reading(round_id, (rows) => rows.rows(query));
  }

  /** A window of the tenants with such decisions. */
  async tenants(
    round_id: string,
    window: { limit: number; offset: number },
  ): Promise<Page<StartStateTenant> | null> {
    return this.reading(round_id, (rows) => rows.tenants(window));
  }

  /** Which of some requests depend on the start; null where that is not known. */
  async marked(round_id: string, req_ids: readonly string[]): Promise<Set<string> | null> {
    return this.reading(round_id, (rows) => rows.marked(req_ids));
  }

  private async study(round_id: string) {
    const row = await this.store.rounds.get(round_id);
    if (row === null) return null;
    return this.studies.latest<StartStateInputs, StartStates>("start-states", JSON.stringify(inputsOf(row)));
  }

  private async reading<Found>(
    round_id: string,
    read: (rows: StartStateRows) => Found,
  ): Promise<Found | null> {
    const path = (await this.study(round_id))?.rows ?? null;
    if (path === null) return null;
    const rows = new StartStateRows(path);
    try {
      return read(rows);
    } finally {
      rows.close();
    }
  }
}

/** A study's stored inputs as what its process is asked. */
export function askStartStates({ artifacts }: Store, inputs: StartStateInputs): AskedStudy {
  return {
    question: { kind: "start-states", inputs: inputPaths(artifacts, inputs) },
    files: inputFiles(inputs),
  };
}
