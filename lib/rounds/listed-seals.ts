import type { ListedSeal } from "../../contract/round-view.ts";
import { type SealFinding, sealSentence } from "../../contract/seal.ts";
import type { Store } from "../store/open-store.ts";
import type { ListedRow } from "../store/rounds.ts";
import { listedChange, viewChange } from "../store/row-seal.ts";
import type { Glance } from "../store/seals.ts";
import { lostIn, readStoredView } from "../store/stored-view.ts";
import { judgedFiles, type NamedFile } from "./file-seals.ts";
import { rowFiles } from "./round-seals.ts";

/** Digits of a digest in a row's words; the whole of it stands on the round's own pages. */
const DIGITS = 12;
const KEPT: ListedSeal = { state: "kept", sentence: null };

/** What of a listed round's row, or of the note of its files, is not what was written when it ended. */
function rowFinding(row: ListedRow): SealFinding | null {
  const entry = listedChange(row);
  if (entry !== null) return { kind: "entry", what: "entry of this round", ...entry };
  const [lost] = lostIn(row.view);
  if (lost !== undefined) return lost;
  const note = viewChange(row);
  return note === null ? null : { kind: "entry", what: "note of this round’s rows", ...note };
}

const broken = (finding: SealFinding): ListedSeal => ({
  state: "broken",
  sentence: sealSentence(finding, { digits: DIGITS }),
});

function seen(files: readonly NamedFile[], glances: readonly Glance[]): ListedSeal {
  const wrong = glances.findIndex(({ kind }) => kind !== "kept" && kind !== "unread" && kind !== "reading");
  const glance = glances[wrong];
  if (glance !== undefined) {
    const [what, expected] = files[wrong]!;
    const found = glance.kind === "changed" ? glance.found : null;
    return broken({ kind: glance.kind as "missing", what, expected, found });
  }
  for (const state of ["unread", "reading"] as const)
    if (glances.some(({ kind }) => kind === state)) return { state, sentence: null };
  return KEPT;
}

/**
 * What some listed rounds' files are, as far as a stat of each tells: those that were read since the server started, and
 * have not been touched since, are known. Nothing is read for the answer; `reads`: what is not known is read meanwhile.
 */
export async function listedSeals(
  { seals }: Store,
  rows: readonly ListedRow[],
  reads: boolean,
): Promise<ListedSeal[]> {
  const glances = new Map<string, Promise<Glance>>();
  const glanceAt = ([, sha256]: NamedFile): Promise<Glance> => {
    const glance = glances.get(sha256) ?? seals.glance(sha256, reads);
    glances.set(sha256, glance);
    return glance;
  };
  return Promise.all(
    rows.map(async (row): Promise<ListedSeal> => {
      if (row.state !== "done" && row.card === null && row.seal === null) return KEPT;
      const finding = rowFinding(row);
      if (finding !== null) return broken(finding);
      const digests = readStoredView(row.view);
      const files = [...judgedFiles(row), ...(digests === null ? [] : rowFiles(digests))];
      return seen(files, await Promise.all(files.map(glanceAt)));
    }),
  );
}
