import type { Reading } from "../../../contract/request.ts";
import type { StudyProgress } from "../../../contract/study.ts";

/** Paths of a round's inputs among the artifacts, and how bad lines are met. */
export interface StudyInputs {
  contract: string;
  policy: string;
  input: string;
  reading: Reading;
}

/** One side of a comparison: paths of its documents and report, and the digest of its stream. */
export interface ComparedFiles {
  contract: string;
  policy: string;
  report: string;
  stream_sha256: string;
}

/** What a study is about. */
export type StudyQuestion =
  | {
      kind: "faults";
      inputs: StudyInputs;
      /** The log that the stream is made from first; null where `inputs.input` is the stream. */
      log: { path: string; mapping: string | null } | null;
      /** What the user calls the stream, for messages. */
      stream_name: string;
      /** Rows of the lab, by id. */
      rows: string[];
      most_requests: number;
    }
  | { kind: "witness"; inputs: StudyInputs; tenant: string }
  | { kind: "start-states"; inputs: StudyInputs }
  | { kind: "comparison"; a: ComparedFiles; b: ComparedFiles };

/** What the server asks of a study's process; `folder` is its own, thrown away afterwards. */
export type StudyJob = { folder: string } & StudyQuestion;

/** What a study's process says: progress as it goes, then how it ended. */
export type StudyMessage =
  | { kind: "progress"; progress: StudyProgress }
  /** `rows`: a file of rows that the pages query; `files`: others to keep. */
  | { kind: "done"; result: unknown; rows?: string; files?: string[] }
  | { kind: "refused"; message: string };
