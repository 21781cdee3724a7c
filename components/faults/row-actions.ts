import type { Told } from "../shell/told.tsx";

/** What leads from a row of the lab into rounds. */
export interface RowActions {
  /** Makes the round of a row, or finds it, and goes there. */
  openRound: (row: string, over: "stream" | "smallest") => Promise<Told>;
  /** Rounds that were made already, by row and what they are over. */
  made: { row: string; over: "stream" | "smallest"; round_id: string }[];
  /** Where the smallest streams are downloaded. */
  streamPath: string;
}
