import type { ImportSummary } from "../../../contract/mapping.ts";
import type { Reading } from "../../../contract/request.ts";
import type { AuditFacts, RoundProblem, RoundProgress, RoundSummary } from "../../../contract/round-view.ts";
import type { RoundFiles } from "./run-round.ts";
import type { ViewPlace } from "./write-view.ts";

/** What the server asks of a round's process. */
export interface RoundJob {
  files: RoundFiles;
  /** The log that `files.input` is made from first, and its mapping (null: a packed canonical stream). */
  log: { path: string; mapping: string | null } | null;
  /** Where the view is written. */
  view: ViewPlace;
  /** The round was finished before, and only its view is made again. */
  viewOnly: boolean;
  reading: Reading;
  /** Of an audit: `files.report` is there already, and is judged. Null: the engine writes it. */
  audit: AuditFacts | null;
  faults: string[];
  /** Names for messages, since the files are called by their digests. */
  names: { contract: string; policy: string; input: string };
}

/** What a round's process says: progress as it goes, then how it ended. */
export type RoundMessage =
  | { kind: "progress"; progress: RoundProgress }
  | { kind: "done"; summary: RoundSummary; imported: ImportSummary | null }
  | { kind: "viewed" }
  | { kind: "refused"; problem: RoundProblem; imported: ImportSummary | null };
