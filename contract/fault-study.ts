/** What the fault lab found of one stream (§6): which signal catches which fault, and which faults the stream cannot show. */

import type { PlaceSection } from "./round-view.ts";
import type { Signal } from "./signals.ts";

/** The smallest stream that shows a fault, and what it is decided by. */
export interface ShowingStream {
  /** Where it comes from: a part of the stream under study, made for its policy, or a case with documents of its own. */
  origin: "part" | "made" | "case";
  /** The case's name, where it is one. */
  case_name: string | null;
  requests: number;
  stream: string;
  /** Documents of its own; null where it goes with those of the study. */
  documents: { contract: string; policy: string } | null;
  /** Whether the reference decides it as the honest engine does, and otherwise than the faulty one. */
  confirmed: boolean;
  /** No request can be left out; false where a bound ended the search. */
  is_minimal: boolean;
}

/** The first place where a report differs from the reference. Values are JSON texts, null for none. */
export interface FirstDifference {
  path: string;
  clause: string;
  section: PlaceSection;
  reported: string | null;
  expected: string | null;
}

/** One fault, or several at once, against the five signals. */
export interface FaultRow {
  id: string;
  title: string;
  summary: string;
  clause: string;
  kind: "rule" | "signal" | "several";
  /** What was injected: the fault, and for a fault of a signal what it was to hide. */
  faults: string[];
  /** Whether anything is otherwise than without it. */
  shows: boolean;
  /** Why this stream cannot show it, or how it was tried. */
  note: string;
  /** Empty where it does not show: then every signal says what it says without the fault. */
  signals: Signal[];
  /** Fields that differ from the reference. */
  differences: number;
  first: FirstDifference | null;
  smallest: ShowingStream | null;
}

export interface FaultStudy {
  requests: number;
  /** Valid requests of the whole stream, where it was cut; null where it was not. */
  cut_from: number | null;
  /** Bad lines that were left out. */
  skipped: number;
  /** The stream that was studied, by digest, where it is not the one that was given. */
  stream_sha256: string | null;
  /** The signals without any fault. */
  honest: Signal[];
  rows: FaultRow[];
}

/** What the lab can try, as its form lists it. */
export type LabRowInfo = Pick<FaultRow, "id" | "title" | "summary" | "clause" | "kind">;
