import { readFile } from "node:fs/promises";
import type { Deviation } from "../../contract/deviation.ts";
import type {
  FaultInfo,
  Page,
  PlaceRow,
  RoundInputs,
  RoundListItem,
  RoundListRow,
  RunAgain,
  ShareRow,
} from "../../contract/round-view.ts";
import { type SealFinding, sealSentence } from "../../contract/seal.ts";
import { FAULTS } from "../faults/catalog.ts";
import { faultsById } from "../faults/inject-faults.ts";
import type { Store } from "../store/open-store.ts";
import type { RoundView } from "../store/round-view.ts";
import type { RoundQuery } from "../store/rounds.ts";
import type { RoundRow } from "../store/schema.ts";
import { fileFindings, judgedFiles, keptText, NotAsJudged } from "./file-seals.ts";
import { listedSeals } from "./listed-seals.ts";
import { firstBytes } from "./logs/recognise-log.ts";
import { SavedMappings } from "./logs/saved-mappings.ts";
import { type RecordResult, recordDeviation } from "./record-deviation.ts";
import { RemovedRounds } from "./removed-rounds.ts";
import { listOlderRounds } from "./round-card.ts";
import { roundListItem, roundListRow, shareRow } from "./round-list-item.ts";
import { entryFindings, RoundSeals, sealedRound } from "./round-seals.ts";
import { type RoundQueue, roundQueue } from "./round-work.ts";
import { runAgain, storedStream } from "./run-again.ts";
import { SavedDocuments } from "./saved-documents.ts";
import { exportRows, ofRound, type TableQuery, withDeviations } from "./sharing/export-table.ts";
import { MaskedView, type RoundRows } from "./sharing/masked-view.ts";
import { isBundleTooLarge, type RoundBundle, roundBundle } from "./sharing/round-bundle.ts";
import { roundImport, skippedLines, streamFileName } from "./sharing/round-import.ts";
import {
  FULL_ACCESS,
  filesWithin,
  maskFindings,
  maskInputs,
  maskRound,
  type RoundAccess,
  type SharedRound,
  sealWithin,
} from "./sharing/shared-round.ts";
import type { ExportRows } from "./sharing/table-text.ts";
import { type Submission, type SubmitResult, storing, submitRound } from "./submission.ts";
import { type AuditSubmission, submitAudit } from "./submit-audit.ts";
import { FALSE_GREEN_FAULTS, PROBLEM_FAULTS, SCENARIO, scenarioFiles } from "./trials/scenario.ts";
import { whyNot } from "./why-not.ts";

export type { RoundQuery } from "../store/rounds.ts";
export type RoundFileKind = "contract" | "policy" | "stream" | "report";

const DAY_MS = 86_400_000;
/** Longest life of a link that is not for ever. */
const LONGEST_SHARE_MS = 366 * DAY_MS;

/** Files that are not what was judged are given to nobody: what anybody would take them for is something else. */
function refuse(findings: SealFinding[], { mask_key }: RoundAccess): void {
  if (findings.length > 0) throw new NotAsJudged(mask_key === null ? findings : maskFindings(findings));
}

/** The use cases behind the pages. */
export class RoundsService {
  private readonly store: Store;
  /** Removing rounds, and putting them back. */
  readonly removed: RemovedRounds;
  /** Contracts and policies by name and version. */
  readonly documents: SavedDocuments;
  private readonly queue: RoundQueue;
  private readonly endListeners: ((id: string) => void)[] = [];
  readonly mappings: SavedMappings;
  private readonly seals: RoundSeals;
  /** By view and key: a masked view remembers who is behind its masks. */
  private readonly maskedViews = new WeakMap<RoundView, Map<string, MaskedView>>();

  constructor(store: Store) {
    this.store = store;
    this.queue = roundQueue(store, (id) => {
      for (const listener of this.endListeners) listener(id);
    });
    this.seals = new RoundSeals(store, (id) => this.queue.enqueue(id));
    this.mappings = new SavedMappings(store);
    this.removed = new RemovedRounds(store, this.queue);
    this.documents = new SavedDocuments(store);
  }

  /** Begins again what a process that ended had not finished: inputs are kept, so nothing is lost. */
  async resume(): Promise<void> {
    await this.removed.sweep();
    await listOlderRounds(this.store, async (id) => (await this.view(id))?.tenantNames() ?? []);
    for (const { id } of await this.store.rounds.unfinished()) this.queue.enqueue(id);
    // After them: what a round came to is known, only its rows are not.
    for (const id of await this.store.rounds.withOldView()) this.queue.enqueue(id);
  }

  /** Tells of each round that ends, however it does, once that is stored. */
  onEnded(listener: (id: string) => void): void {
    this.endListeners.push(listener);
  }

  /** The two scenario rounds that a new installation holds, so that the first screen shows a false green. */
  async seed(): Promise<void> {
    const { contract, policy, stream } = await this.scenario();
    const texts = {
      contract: { name: "contract.json", text: contract },
      policy: { name: "policy.json", text: policy },
    };
    await this.documents.seed(texts, `Scenario ${SCENARIO}`);
    if ((await this.store.settings.get("seeded")) !== null) return;
    const documents = {
      ...texts,
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

  /**
   * A page of the rounds that a query finds, with what is known of their files. `reads`: files that are not known are
   * read meanwhile, so that the next look tells.
   */
  async list(query: RoundQuery, reads = false): Promise<Page<RoundListRow>> {
    const { rows, total } = await this.store.rounds.list(query);
    const seals = await listedSeals(this.store, rows, reads);
    const listed = rows.map((row, at) => roundListRow(row, seals[at]!, this.queue.progressOf(row.id)));
    return { rows: listed, total };
  }

  /** A round as an access shows it, its stored files looked at: where one is not what was judged, nothing is claimed. */
  async round(id: string, access: RoundAccess = FULL_ACCESS): Promise<RoundListItem | null> {
    const row = await this.store.rounds.get(id);
    if (row === null) return null;
    const seal = await this.seals.of(row);
    // Rows that are lost have just been noted as such.
    const item = this.item(seal.state === "broken" ? ((await this.store.rounds.get(id)) ?? row) : row);
    return sealedRound(access.mask_key === null ? item : maskRound(item), sealWithin(seal, access));
  }

  /** What a round was decided from; the documents as texts, where they are still those. */
  async inputs(id: string, access: RoundAccess = FULL_ACCESS): Promise<RoundInputs | null> {
    const row = await this.store.rounds.get(id);
    if (row === null) return null;
    if (access.mask_key !== null) return this.maskedInputs(id, access);
    const text = (sha256: string) => keptText(this.store, ["document", sha256]).catch(() => null);
    return {
      contract: {
        name: row.contract_name,
        sha256: row.contract_sha256,
        text: await text(row.contract_sha256),
      },
      policy: { name: row.policy_name, sha256: row.policy_sha256, text: await text(row.policy_sha256) },
      stream: { name: row.stream_name, sha256: row.stream_sha256, bytes: row.stream_bytes },
      report: row.report_sha256 === null ? null : { sha256: row.report_sha256 },
      import: roundImport(row, access),
    };
  }

  /** The rows of a finished round as an access shows them; null where there are none (yet). */
  async rows(id: string, { mask_key }: RoundAccess): Promise<RoundRows | null> {
    const view = await this.view(id);
    return view === null || mask_key === null ? view : this.masked(view, mask_key);
  }

  /** Why what is stored of a round is not what was judged, one sentence each; nothing where it is. */
  async notAsJudged(id: string, access: RoundAccess): Promise<string[]> {
    const row = await this.store.rounds.get(id);
    if (row === null) return [];
    const { findings } = sealWithin(await this.seals.of(row), access);
    return findings.map((finding) => sealSentence(finding));
  }

  /** The rows of a finished round as they are; null where there are none (yet). */
  async view(id: string): Promise<RoundView | null> {
    const row = await this.store.rounds.get(id);
    return row === null ? null : this.seals.rows(row);
  }

  /**
   * The rows of a finished round's table as an access shows them, one at a time; null where there are none (yet).
   * NotAsJudged where what the round rests on is not what was judged. `tellsId`: whether rows tell the round's id.
   */
  async table(
    id: string,
    query: TableQuery,
    access: RoundAccess,
    tellsId = false,
  ): Promise<ExportRows | null> {
    const [row, view] = [await this.store.rounds.get(id), await this.rows(id, access)];
    if (row !== null) refuse([...entryFindings(row), ...(await this.seals.of(row, true)).findings], access);
    const round = row === null ? null : this.item(row);
    if (row === null || view === null || round?.summary == null) return null;
    const skipped = skippedLines(round.summary.skipped, roundImport(row, access));
    const shown =
      access.mask_key === null ? { ...round, summary: { ...round.summary, skipped } } : maskRound(round);
    const table = exportRows(view, shown.summary!, query);
    const rows =
      query.table === "places"
        ? withDeviations(table as AsyncIterable<PlaceRow>, await this.deviations(id, access))
        : table;
    const { name, log_start_at_ms } = shown;
    return ofRound(rows, { round: name, round_id: tellsId ? id : null, log_start_at_ms });
  }

  /** Stores a round's inputs and queues it. Contract and policy are judged at once; the stream when the round runs. */
  async submit(submission: Submission): Promise<SubmitResult> {
    try {
      faultsById(submission.faults);
    } catch (error) {
      return { ok: false, problems: [{ file: "faults", path: "", message: (error as Error).message }] };
    }
    const submitted = await storing(this.store, submission.stream.name, () =>
      submitRound(this.store, submission),
    );
    if (submitted.ok) this.queue.enqueue(submitted.id);
    return submitted;
  }

  /** What a round was to be decided from; null where there is none, or another report was audited. In words why not. */
  async again(id: string): Promise<RunAgain | { problem: string } | null> {
    const row = await this.store.rounds.get(id);
    if (row === null || row.audit !== null) return null;
    try {
      return await runAgain(this.store, row);
    } catch (error) {
      return { problem: whyNot(error) };
    }
  }

  /** A round's stream as another round takes it, and where it is; null where there is no such round. */
  async storedStream(id: string) {
    const row = await this.store.rounds.get(id);
    if (row === null) return null;
    return { stream: storedStream(row), path: this.store.artifacts.path(row.stream_sha256) };
  }

  /** The first bytes of a round's stream; null where it is not stored (any more). */
  async storedHead(id: string): Promise<Uint8Array<ArrayBuffer> | null> {
    const row = await this.store.rounds.get(id);
    return row === null ? null : firstBytes(this.store.artifacts.path(row.stream_sha256));
  }

  /** Queues the audit of a report that was made elsewhere; or says what is wrong with its inputs, and stores nothing. */
  async audit(submission: AuditSubmission): Promise<SubmitResult> {
    const submitted = await storing(this.store, submission.stream.name, () =>
      submitAudit(this.store, submission),
    );
    if (submitted.ok) this.queue.enqueue(submitted.id);
    return submitted;
  }

  /** Records a deviation of a place by its position in the diff (§5.3). */
  async recordDeviation(id: string, position: number, note: unknown): Promise<RecordResult> {
    const view = await this.view(id);
    try {
      return await recordDeviation(this.store, id, view, position, note, Date.now());
    } catch (error) {
      return { ok: false, problem: whyNot(error) };
    }
  }

  /** Recorded deviations as an access shows them: none where names are masked, since people write names into reasons. */
  async deviations(id: string, { mask_key }: RoundAccess): Promise<Deviation[]> {
    return mask_key === null ? this.store.deviations.list(id) : [];
  }

  withdrawDeviation(id: string, deviationId: string): Promise<boolean> {
    return this.store.deviations.withdraw(id, deviationId, Date.now());
  }

  cancel(id: string): Promise<boolean> {
    return this.queue.cancel(id);
  }

  /**
   * Path, download name and type of one of a round's files; null where there is none, or the access gives none.
   * NotAsJudged where the stored file is another one, or gone.
   */
  async file(
    id: string,
    kind: RoundFileKind,
    access: RoundAccess = FULL_ACCESS,
  ): Promise<{ path: string; name: string; type: string } | null> {
    const row = await this.store.rounds.get(id);
    if (row === null || !filesWithin(access).includes(kind)) return null;
    const json = "application/json; charset=utf-8";
    const found = {
      contract: [row.contract_sha256, row.contract_name, json],
      policy: [row.policy_sha256, row.policy_name, json],
      stream: [row.stream_sha256, streamFileName(row), "application/x-ndjson; charset=utf-8"],
      report: [row.report_sha256, "report.json", json],
    } as const;
    const [sha256, name, type] = found[kind];
    if (sha256 === null) return null;
    refuse([...entryFindings(row), ...(await fileFindings(this.store, [[kind, sha256]], true))], access);
    return { path: this.store.artifacts.path(sha256), name, type };
  }

  /**
   * Inputs and report of a finished round in one file that anybody can keep; null where there is none. NotAsJudged where a
   * stored file is another one, or gone.
   */
  async bundle(id: string, access: RoundAccess = FULL_ACCESS): Promise<RoundBundle | null> {
    const row = await this.store.rounds.get(id);
    if (row === null || row.report_sha256 === null || !filesWithin(access).includes("report")) return null;
    if (await isBundleTooLarge(row, this.store.artifacts)) return null;
    const given = judgedFiles(row).filter(([what]) => (filesWithin(access) as string[]).includes(what));
    refuse([...entryFindings(row), ...(await fileFindings(this.store, given, true))], access);
    return roundBundle(row, this.store.artifacts, access);
  }

  /** Whether a round's files are too large for a bundle. */
  async isBundleTooLarge(id: string): Promise<boolean> {
    const row = await this.store.rounds.get(id);
    return row !== null && isBundleTooLarge(row, this.store.artifacts);
  }

  /**
   * Makes a link to a round; `life_ms` null: for ever. Null where there is no such round. Masked names go without the raw
   * stream, which holds them: asked for both, no link is made.
   */
  async share(
    id: string,
    life_ms: number | null,
    shows: { raw: boolean; masked: boolean } = { raw: true, masked: false },
  ): Promise<{ token: string; share: ShareRow } | null> {
    if ((await this.store.rounds.get(id)) === null) return null;
    if (life_ms !== null && !(life_ms > 0 && life_ms <= LONGEST_SHARE_MS)) return null;
    if (shows.raw && shows.masked) return null;
    const now_ms = Date.now();
    const { token, share } = await this.store.shares.create(
      id,
      life_ms === null ? null : now_ms + life_ms,
      now_ms,
      shows,
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
  async shared(token: string, count = false): Promise<SharedRound | null> {
    const now_ms = Date.now();
    const share = await this.store.shares.find(token, now_ms);
    if (share === null) return null;
    const access = { raw: share.raw === 1, mask_key: share.mask_key };
    const round = await this.round(share.round_id, access);
    if (round === null) return null;
    // A disk that takes no count is none of whoever looks.
    if (count) await this.store.shares.touch(share.id, now_ms).catch(console.error);
    return { round, access };
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

  private masked(view: RoundView, key: string): MaskedView {
    const known = this.maskedViews.get(view) ?? new Map<string, MaskedView>();
    const masked = known.get(key) ?? new MaskedView(view, key);
    this.maskedViews.set(view, known.set(key, masked));
    return masked;
  }

  private async maskedInputs(id: string, { mask_key }: RoundAccess): Promise<RoundInputs | null> {
    const [inputs, view] = [await this.inputs(id), await this.view(id)];
    if (inputs === null || view === null || mask_key === null) return null;
    return maskInputs(inputs, this.masked(view, mask_key).nameMask);
  }

  private item(row: RoundRow): RoundListItem {
    return roundListItem(row, this.queue.progressOf(row.id));
  }
}
