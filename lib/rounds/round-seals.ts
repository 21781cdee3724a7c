import type { RoundListItem, RoundSummary } from "../../contract/round-view.ts";
import { KEPT_SEAL, type RoundSeal, type SealFinding, sealOf, sealSentence } from "../../contract/seal.ts";
import { SIGNALS, type SignalBoard } from "../../contract/signals.ts";
import type { Store } from "../store/open-store.ts";
import type { RoundView } from "../store/round-view.ts";
import type { RoundRow } from "../store/schema.ts";
import { lostIn, lostView, readStoredView } from "../store/stored-view.ts";
import { VIEW_FILES, type ViewFiles } from "../store/view-format.ts";
import { disagreement } from "./verdict-against-rows.ts";

/** Digits of a digest in a lamp's words; the whole of it stands in the alert. */
const LAMP_DIGITS = 12;
const UNDECIDED: readonly string[] = ["waiting", "running"];
const NOTHING_FOUND = { status: 2, checks: 0, mismatches: 0, indeterminate: 0 } as const;

/** A file by what it is called and by its digest. */
type NamedFile = readonly [what: string, sha256: string];

const REFUSED = "NotAsJudged";

/** A file of a round is not, or no longer, the one that was judged. */
export class NotAsJudged extends Error {
  /** Of HTTP: 410 where it is gone, else 409. */
  readonly status: 409 | 410;

  constructor(findings: readonly SealFinding[]) {
    super(`Not given: ${findings.map((finding) => sealSentence(finding)).join("; ")}.`);
    this.name = REFUSED;
    this.status = findings.every(({ kind }) => kind === "missing") ? 410 : 409;
  }
}

/** Whether an error is one: by its name, since a server may hold a module several times. */
export const isNotAsJudged = (error: unknown): error is NotAsJudged =>
  error instanceof Error && error.name === REFUSED;

/** The files that a round was judged from, by their digests. */
export function judgedFiles(row: RoundRow): NamedFile[] {
  const inputs: NamedFile[] = [
    ["contract", row.contract_sha256],
    ["policy", row.policy_sha256],
    ["stream", row.stream_sha256],
  ];
  return row.report_sha256 === null ? inputs : [...inputs, ["report", row.report_sha256]];
}

const rowFiles = (view: ViewFiles): NamedFile[] =>
  VIEW_FILES.map((file) => [`file of rows (${file})`, view[file]]);

/** What is wrong with some files. @param whole whether large ones that must be read first are waited for */
export async function fileFindings(
  { seals }: Store,
  files: readonly NamedFile[],
  whole: boolean,
): Promise<SealFinding[]> {
  const looked = await Promise.all(
    files.map(async ([what, sha256]): Promise<SealFinding | null> => {
      const seal = await (whole ? seals.check(sha256) : seals.look(sha256));
      if (seal.kind === "kept") return null;
      return { kind: seal.kind, what, expected: sha256, found: seal.kind === "changed" ? seal.found : null };
    }),
  );
  return looked.filter((finding) => finding !== null);
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
    const found = await fileFindings(this.store, judgedFiles(row), whole);
    const digests = readStoredView(row.view);
    const rows = digests === null ? lostIn(row.view) : await this.rowFindings(row, digests, whole);
    if (found.length > 0 || rows.length > 0 || digests === null) return sealOf([...found, ...rows]);
    const disagree = await this.verdictBesideRows(row, await this.store.views.view(digests));
    return sealOf(disagree === null ? [] : [disagree]);
  }

  /** A round's rows; null where there are none that this version reads, or they are lost and made again. */
  async rows(row: RoundRow): Promise<RoundView | null> {
    const digests = readStoredView(row.view);
    if (digests === null || (await this.rowFindings(row, digests, true)).length > 0) return null;
    return this.store.views.view(digests);
  }

  private async rowFindings(row: RoundRow, digests: ViewFiles, whole: boolean): Promise<SealFinding[]> {
    const found = await fileFindings(this.store, rowFiles(digests), whole);
    const lost = found.filter(({ kind }) => kind !== "checking");
    // Only of the view that was looked at: where it has just been made again its former files are gone.
    if (lost.length > 0 && row.view !== null) {
      const isMarked = await this.store.rounds.replaceView(row.id, row.view, lostView(row.view, lost));
      if (isMarked) this.remake(row.id);
    }
    return found;
  }

  private async verdictBesideRows({ summary }: RoundRow, view: RoundView): Promise<SealFinding | null> {
    if (summary === null) return null;
    const known = this.compared.get(view);
    if (known?.summary === summary) return known.finding;
    const finding = disagreement(JSON.parse(summary) as RoundSummary, await view.placeCounts());
    this.compared.set(view, { summary, finding });
    return finding;
  }
}

/** Five lamps that say nothing, with the reason. */
function unknownBoard({ state, findings }: RoundSeal): SignalBoard {
  const [first] = findings.filter(({ kind }) => state === "checking" || kind !== "checking");
  const evidence = first === undefined ? "not found" : sealSentence(first, LAMP_DIGITS);
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
