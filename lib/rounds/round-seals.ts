import type { RoundListItem, RoundSummary } from "../../contract/round-view.ts";
import { KEPT_SEAL, type RoundSeal, type SealFinding, sealOf, sealSentence } from "../../contract/seal.ts";
import { SIGNALS, type SignalBoard } from "../../contract/signals.ts";
import type { Store } from "../store/open-store.ts";
import type { RoundView } from "../store/round-view.ts";
import { entryChange, viewChange } from "../store/row-seal.ts";
import type { RoundRow } from "../store/schema.ts";
import { lostIn, lostView, readStoredView } from "../store/stored-view.ts";
import { VIEW_FILES, type ViewFiles } from "../store/view-format.ts";
import { fileFindings, judgedFiles, type NamedFile, NotAsJudged } from "./file-seals.ts";
import { storedJson } from "./round-list-item.ts";
import { disagreement } from "./run/verdict-against-rows.ts";

/** Digits of a digest in a lamp's words; the whole of it stands in the alert. */
const LAMP_DIGITS = 12;
const UNDECIDED: readonly string[] = ["waiting", "running"];
const NOTHING_FOUND = { status: 2, checks: 0, mismatches: 0, indeterminate: 0 } as const;

/** The files of a round's rows, by their digests. */
export const rowFiles = (view: ViewFiles): NamedFile[] =>
  VIEW_FILES.map((file) => [`file of rows (${file})`, view[file]]);

/** What of a finished round's row is not what was written when it ended. */
export function entryFindings(row: RoundRow): SealFinding[] {
  // Also of one that was finished, and whose state says otherwise.
  const isFinished = row.state === "done" || row.summary !== null || row.seal !== null;
  const changed = isFinished ? entryChange(row) : null;
  return changed === null ? [] : [{ kind: "entry", what: "entry of this round", ...changed }];
}

/** Refuses (NotAsJudged) to work out anything of rounds whose rows were changed by hand: they may name another round's files. */
export function demandEntries(rows: readonly RoundRow[]): void {
  const findings = rows.flatMap(entryFindings);
  if (findings.length > 0) throw new NotAsJudged(findings, { not: "Not worked out", was: "judged" });
}

/** The same of the note which files hold its rows. */
function viewFindings(row: RoundRow): SealFinding[] {
  const changed = row.state === "done" ? viewChange(row) : null;
  return changed === null ? [] : [{ kind: "entry", what: "note of this round’s rows", ...changed }];
}

/** Looks whether what rounds rest on is still what was judged; rows that are lost are made again. */
export class RoundSeals {
  private readonly store: Store;
  private readonly remake: (id: string) => void;
  /** What each view and verdict came to, beside each other: neither changes. */
  private readonly compared = new WeakMap<RoundView, { summary: string; finding: SealFinding | null }>();

  /** @param remake queues a round whose rows are to be made again */
  constructor(store: Store, remake: (id: string) => void) {
    this.store = store;
    this.remake = remake;
  }

  /** What a round's files are found to be. @param whole whether large files that must be read first are waited for */
  async of(row: RoundRow, whole = false): Promise<RoundSeal> {
    // Its stream may be replaced by what its import makes; and nothing is claimed of it yet.
    if (UNDECIDED.includes(row.state)) return KEPT_SEAL;
    const entry = entryFindings(row);
    const found = await fileFindings(this.store, judgedFiles(row), whole);
    const digests = readStoredView(row.view);
    const rows = digests === null ? await this.lostRows(row) : await this.rowFindings(row, digests, whole);
    if (found.length > 0 || rows.length > 0 || digests === null) return sealOf([...entry, ...found, ...rows]);
    const disagree = await this.verdictBesideRows(row, await this.store.views.view(digests));
    return sealOf(disagree === null ? entry : [...entry, disagree]);
  }

  /** A round's rows; null where there are none that this version reads, or they are lost and made again. */
  async rows(row: RoundRow): Promise<RoundView | null> {
    const digests = readStoredView(row.view);
    if (digests === null || (await this.rowFindings(row, digests, true)).length > 0) return null;
    return this.store.views.view(digests);
  }

  private async rowFindings(row: RoundRow, digests: ViewFiles, whole: boolean): Promise<SealFinding[]> {
    const note = viewFindings(row);
    // Files that were never this round's are not looked at.
    const found = note.length > 0 ? note : await fileFindings(this.store, rowFiles(digests), whole);
    await this.lose(
      row,
      found.filter(({ kind }) => kind !== "checking"),
    );
    return found;
  }

  /** What is known of rows that are not there to be looked at; of an older version they are none, and nothing is wrong. */
  private async lostRows(row: RoundRow): Promise<SealFinding[]> {
    const lost = lostIn(row.view);
    if (lost.length > 0) return lost;
    const note = viewFindings(row);
    await this.lose(row, note);
    return note;
  }

  /** Has rows made again that are lost. A disk that takes no note of it is none of whoever looks at the round. */
  private async lose(row: RoundRow, lost: SealFinding[]): Promise<void> {
    if (lost.length === 0) return;
    // Only of the view that was looked at: where it has just been made again its former files are gone.
    const isMarked = await this.store.rounds
      .replaceView(row.id, row.view, lostView(row.view, lost))
      .catch((error: unknown) => {
        console.error(error);
        return false;
      });
    if (isMarked) this.remake(row.id);
  }

  private async verdictBesideRows({ summary }: RoundRow, view: RoundView): Promise<SealFinding | null> {
    if (summary === null) return null;
    const known = this.compared.get(view);
    if (known?.summary === summary) return known.finding;
    const told = storedJson<RoundSummary>(summary);
    const finding = told === null ? null : disagreement(told, await view.placeCounts());
    this.compared.set(view, { summary, finding });
    return finding;
  }
}

/** Five lamps that say nothing, with the reason. */
function unknownBoard({ state, findings }: RoundSeal): SignalBoard {
  const [first] = findings.filter(({ kind }) => state === "checking" || kind !== "checking");
  const evidence = first === undefined ? "not found" : sealSentence(first, { digits: LAMP_DIGITS });
  const signals = SIGNALS.map((name) => ({
    name,
    claim: "unknown" as const,
    evidence,
    grounded: false,
    lies: false,
  }));
  return { signals, true_mismatches: null, false_green: false, disagree: false };
}

/** A summary that claims nothing: what it says was found of other files, or is not known to be of these. */
const unknownSummary = (summary: RoundSummary, seal: RoundSeal): RoundSummary => ({
  ...summary,
  ok: null,
  exit_status: null,
  board: unknownBoard(seal),
  health: NOTHING_FOUND,
  truth: NOTHING_FOUND,
  probe: { result: "unjudged", compared: 0, mismatches: 0 },
  acceptance: summary.acceptance.map((criterion) => ({ ...criterion, passed: null, detail: "" })),
  table: summary.table.map((row) => ({
    ...row,
    places: 0,
    matched: 0,
    mismatched: 0,
    indeterminate: 0,
    ignored: 0,
  })),
});

/** A round with what its files were found to be: where they are not known to be those that were judged, nothing is green. */
export function sealedRound(round: RoundListItem, seal: RoundSeal): RoundListItem {
  if (seal.state === "kept" || round.summary === null) return { ...round, seal };
  return { ...round, seal, summary: unknownSummary(round.summary, seal) };
}
