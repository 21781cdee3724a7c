import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import type { InputProblem } from "../../contract/input.ts";
import type { Reading } from "../../contract/request.ts";
import type { FaultInfo, Page, RoundInputs, RoundListItem, ShareRow } from "../../contract/round-view.ts";
import { FAULTS } from "../faults/catalog.ts";
import { faultsById } from "../faults/inject-faults.ts";
import { FileProblem } from "../store/file-problem.ts";
import type { Store } from "../store/open-store.ts";
import { RoundView } from "../store/round-view.ts";
import type { RoundQuery } from "../store/rounds.ts";
import type { RoundRow } from "../store/schema.ts";
import { validateDocuments } from "./documents.ts";
import { exportRows, type TableQuery } from "./export-table.ts";
import { roundListItem, shareRow } from "./round-list-item.ts";
import { RoundRunner } from "./round-runner.ts";
import { FALSE_GREEN_FAULTS, PROBLEM_FAULTS, scenarioFiles } from "./scenario.ts";
import type { ExportRow } from "./table-text.ts";
import { checkUpload, forgetUpload, type UploadClaim } from "./uploads.ts";

/** A round to be run: its documents as texts, its stream as an upload or as text. */
export interface Submission {
  name?: string;
  reading: Reading;
  faults: string[];
  contract: { name: string; text: string };
  policy: { name: string; text: string };
  stream: ({ kind: "upload" } & UploadClaim) | { kind: "text"; name: string; text: string };
}

export type SubmitResult = { ok: true; id: string } | { ok: false; problems: InputProblem[] };
export type RoundFileKind = "contract" | "policy" | "stream" | "report";

/** Views kept open; each holds a file descriptor and a little cache. */
const OPEN_VIEWS = 16;
const DAY_MS = 86_400_000;
/** Longest life of a link that is not for ever. */
const LONGEST_SHARE_MS = 366 * DAY_MS;

/** Ids sort by the time of creation and cannot be guessed. */
const newId = (now_ms: number): string =>
  now_ms.toString(36).padStart(9, "0") + randomBytes(8).toString("hex").slice(0, 12);

/** The use cases behind the pages. */
export class RoundsService {
  private readonly store: Store;
  private readonly runner: RoundRunner;
  private readonly views = new Map<string, RoundView>();

  constructor(store: Store) {
    this.store = store;
    this.runner = new RoundRunner(store);
  }

  /** Begins again what a process that ended had not finished: inputs are kept, so nothing is lost. */
  async resume(): Promise<void> {
    for (const { id } of await this.store.rounds.unfinished()) this.runner.enqueue(id);
  }

  /** The two scenario rounds that a new installation holds, so that the first screen shows a false green. */
  async seed(): Promise<void> {
    if ((await this.store.settings.get("seeded")) !== null) return;
    const { contract, policy, stream } = await this.scenario();
    const documents = {
      contract: { name: "contract.json", text: contract },
      policy: { name: "policy.json", text: policy },
      stream: { kind: "text" as const, name: "requests.jsonl", text: stream },
      reading: "strict" as const,
    };
    await this.submit({ ...documents, name: "Scenario 2026-10-25-1000, clean", faults: [] });
    await this.submit({
      ...documents,
      name: "Scenario 2026-10-25-1000, problem state",
      faults: [...PROBLEM_FAULTS, ...FALSE_GREEN_FAULTS],
    });
    await this.store.settings.set("seeded", "1");
  }

  async list(query: RoundQuery): Promise<Page<RoundListItem>> {
    const { rows, total } = await this.store.rounds.list(query);
    return { rows: rows.map((row) => this.item(row)), total };
  }

  async round(id: string): Promise<RoundListItem | null> {
    const row = await this.store.rounds.get(id);
    return row === null ? null : this.item(row);
  }

  /** What a round was decided from; the documents as texts. */
  async inputs(id: string): Promise<RoundInputs | null> {
    const row = await this.store.rounds.get(id);
    if (row === null) return null;
    const text = (sha256: string) => readFile(this.store.artifacts.path(sha256), "utf8");
    return {
      contract: {
        name: row.contract_name,
        sha256: row.contract_sha256,
        text: await text(row.contract_sha256),
      },
      policy: { name: row.policy_name, sha256: row.policy_sha256, text: await text(row.policy_sha256) },
      stream: { name: row.stream_name, sha256: row.stream_sha256, bytes: row.stream_bytes },
      report: row.report_sha256 === null ? null : { sha256: row.report_sha256 },
    };
  }

  /** The rows of a finished round; null where there are none (yet). */
  async view(id: string): Promise<RoundView | null> {
    const sha256 = (await this.store.rounds.get(id))?.view_sha256 ?? null;
    if (sha256 === null) return null;
    const known = this.views.get(sha256);
    const view = known ?? new RoundView(this.store.artifacts.path(sha256));
    this.views.delete(sha256);
    this.views.set(sha256, view);
    if (this.views.size > OPEN_VIEWS) {
      const [oldest, closing] = this.views.entries().next().value!;
      this.views.delete(oldest);
      closing.close();
    }
    return view;
  }

  /**
   * The rows of a finished round's table, one at a time, read over a connection of their own that ends with the walk;
   * null where there are none (yet).
   */
  async table(id: string, query: TableQuery): Promise<Iterable<ExportRow> | null> {
    const row = await this.store.rounds.get(id);
    const summary = row === null ? null : this.item(row).summary;
    if (row === null || row.view_sha256 === null || summary === null) return null;
    const path = this.store.artifacts.path(row.view_sha256);
    return (function* () {
      const view = new RoundView(path);
      try {
        yield* exportRows(view, summary, query);
      } finally {
        view.close();
      }
    })();
  }

  /** Stores a round's inputs and queues it. Contract and policy are judged at once; the stream when the round runs. */
  async submit(submission: Submission): Promise<SubmitResult> {
    const { contract, policy, stream } = submission;
    const encoder = new TextEncoder();
    const problem = (file: string, message: string): SubmitResult => ({
      ok: false,
      problems: [{ file, path: "", message }],
    });
    try {
      faultsById(submission.faults);
    } catch (error) {
      return problem("faults", (error as Error).message);
    }
    const documents = validateDocuments(encoder.encode(contract.text), encoder.encode(policy.text), {
      contract: contract.name,
      policy: policy.name,
    });
    if (!documents.ok) return documents;
    const taken = await this.takeStream(stream);
    if (!taken.ok) return { ok: false, problems: [taken.problem] };
    const { artifacts } = this.store;
    const now_ms = Date.now();
    const id = newId(now_ms);
    await this.store.rounds.insert({
      id,
      name: submission.name?.trim() || stream.name,
      state: "waiting",
      created_at_ms: now_ms,
      reading: submission.reading,
      faults: JSON.stringify(submission.faults),
      contract_name: contract.name,
      contract_sha256: (await artifacts.put([contract.text])).sha256,
      policy_name: policy.name,
      policy_sha256: (await artifacts.put([policy.text])).sha256,
      stream_name: stream.name,
      stream_sha256: taken.sha256,
      stream_bytes: taken.bytes,
    });
    this.runner.enqueue(id);
    return { ok: true, id };
  }

  cancel(id: string): Promise<boolean> {
    return this.runner.cancel(id);
  }

  /** Removes a round and its links; its files go at the next start, unless another round has them too. */
  async remove(id: string): Promise<boolean> {
    await this.runner.cancel(id);
    return this.store.rounds.remove(id);
  }

  /** Path, download name and type of one of a round's files; null where there is none. */
  async file(id: string, kind: RoundFileKind): Promise<{ path: string; name: string; type: string } | null> {
    const row = await this.store.rounds.get(id);
    if (row === null) return null;
    const json = "application/json; charset=utf-8";
    const found = {
      contract: [row.contract_sha256, row.contract_name, json],
      policy: [row.policy_sha256, row.policy_name, json],
      stream: [row.stream_sha256, row.stream_name, "application/x-ndjson; charset=utf-8"],
      report: [row.report_sha256, "report.json", json],
    } as const;
    const [sha256, name, type] = found[kind];
    return sha256 === null ? null : { path: this.store.artifacts.path(sha256), name, type };
  }

  /** Makes a link to a round; `life_ms` null: for ever. Null where there is no such round. */
  async share(id: string, life_ms: number | null): Promise<{ token: string; share: ShareRow } | null> {
    if ((await this.store.rounds.get(id)) === null) return null;
    if (life_ms !== null && !(life_ms > 0 && life_ms <= LONGEST_SHARE_MS)) return null;
    const now_ms = Date.now();
    const { token, share } = await this.store.shares.create(
      id,
      life_ms === null ? null : now_ms + life_ms,
      now_ms,
    );
    return { token, share: shareRow(share) };
  }

  async shares(id: string): Promise<ShareRow[]> {
    return (await this.store.shares.list(id)).map(shareRow);
  }

  revoke(shareId: string): Promise<boolean> {
    return this.store.shares.revoke(shareId, Date.now());
  }

  /** The round behind a link; null when unknown, revoked or expired. `count`: whether this is an opening. */
  async shared(token: string, count = false): Promise<RoundListItem | null> {
    const now_ms = Date.now();
    const share = await this.store.shares.find(token, now_ms);
    if (share === null) return null;
    if (count) await this.store.shares.touch(share.id, now_ms);
    return this.round(share.round_id);
  }

  faults(): FaultInfo[] {
    return FAULTS.map(({ id, clause, title, summary, kind }) => ({ id, clause, title, summary, kind }));
  }

  /** The scenario's files as texts (§7). */
  async scenario(): Promise<{ contract: string; policy: string; stream: string }> {
    const files = scenarioFiles();
    const [contract, policy, stream] = await Promise.all(
      [files.contract, files.policy, files.input].map((path) => readFile(path, "utf8")),
    );
    return { contract: contract!, policy: policy!, stream: stream! };
  }

  private item(row: RoundRow): RoundListItem {
    return roundListItem(row, this.runner.progressOf(row.id));
  }

  private async takeStream(
    stream: Submission["stream"],
  ): Promise<{ ok: true; sha256: string; bytes: number } | { ok: false; problem: InputProblem }> {
    if (stream.kind === "text") return { ok: true, ...(await this.store.artifacts.put([stream.text])) };
    const checked = await checkUpload(stream);
    if (!checked.ok) return checked;
    try {
      const taken = await this.store.artifacts.adopt(checked.path);
      await forgetUpload(stream.upload_id);
      return { ok: true, ...taken };
    } catch (error) {
      if (!(error instanceof FileProblem)) throw error;
      return { ok: false, problem: { file: stream.name, path: "", message: error.message } };
    }
  }
}
