import { FAULTS } from "../../faults/catalog.ts";
import type { Fault } from "../../faults/fault.ts";
import { FALSE_GREEN_FAULTS, PROBLEM_FAULTS } from "../trials/scenario.ts";

/** What one row of the fault lab injects. */
export interface LabRow {
  id: string;
  title: string;
  summary: string;
  clause: string;
  kind: "rule" | "signal" | "several";
  faults: readonly string[];
}

const alone = ({ id, title, summary, clause, kind }: Fault): LabRow => ({
  id,
  title,
  summary,
  clause,
  kind,
  faults: [id],
});

/** Every row the lab knows: each fault of §6 alone, then the problem state of §7 and its false green. */
export const LAB_ROWS: readonly LabRow[] = [
  ...FAULTS.map(alone),
  {
    id: "problem-state",
    title: "The problem state",
    summary: "Eight faults at once, as they were met together.",
    clause: "§7",
    kind: "several",
    faults: PROBLEM_FAULTS,
  },
  {
    id: "false-green",
    title: "The problem state, told as green",
    summary: "The same eight, and three faults of signals that hide them.",
    clause: "§7",
    kind: "several",
    faults: [...PROBLEM_FAULTS, ...FALSE_GREEN_FAULTS],
  },
];

/** Rows by their ids, in the lab's order; an unknown id is an error. */
export function labRows(ids: readonly string[]): LabRow[] {
  const unknown = ids.filter((id) => !LAB_ROWS.some((row) => row.id === id));
  if (unknown.length > 0) throw new Error(`the fault lab knows no ${unknown.join(", ")}`);
  return LAB_ROWS.filter(({ id }) => ids.includes(id));
}

/** Choices of rows that are worth a name; the first is taken where none is asked for. */
export const LAB_PRESETS: readonly { id: string; title: string; rows: readonly string[] }[] = [
  { id: "every", title: "Every fault", rows: LAB_ROWS.map(({ id }) => id) },
  {
    id: "problem-state",
    title: "The problem state",
    rows: [...PROBLEM_FAULTS, "problem-state", "false-green"],
  },
];
