import { closeSync, createReadStream, fstatSync, openSync, readSync } from "node:fs";
import { type ReportResult, readReportStream } from "../report-file/read-report-stream.ts";
import type { LargeReport } from "./judge-round.ts";

/** Bytes behind the figures in which a report of ours says the rest: who decided, from what, and the checksum. */
const LONGEST_REST_BYTES = 1 << 20;
const CHUNK_BYTES = 1 << 20;
const FIGURES = ["counts", "decisions", "dispatch_order", "per_tenant", "totals"];

/**
 * A report too large to be read whole, held beside the canonical text of what it should say. Where it begins with that
 * text (§4 leaves the layout open, and our reports are written so), its figures are those.
 */
export class ReportBeside implements LargeReport {
  private readonly path: string;
  private readonly file: number;
  private readonly size: number;
  private place = 0;
  private isAlike = true;
  /** What was told last and not compared yet: the text's last byte is a brace where the report goes on. */
  private open: number | null = null;

  constructor(path: string) {
    this.path = path;
    this.file = openSync(path, "r");
    this.size = fstatSync(this.file).size;
  }

  take(piece: Uint8Array): void {
    if (!this.isAlike || piece.length === 0) return;
    const text = this.open === null ? Buffer.from(piece) : Buffer.concat([Uint8Array.of(this.open), piece]);
    this.open = text.at(-1)!;
    const wanted = text.subarray(0, -1);
    this.isAlike = this.next(wanted.length)?.equals(wanted) === true;
  }

  /** The fields behind the figures, as a report that began with the whole text has them; null where it did not. */
  finish(): Record<string, unknown> | null {
    const restBytes = this.size - this.place;
    const rest = this.isAlike && restBytes <= LONGEST_REST_BYTES ? this.next(restBytes) : null;
    closeSync(this.file);
    if (rest === null || this.open !== 0x7d || rest[0] !== 0x2c) return null;
    try {
      const fields = JSON.parse(`{${new TextDecoder("utf-8", { fatal: true }).decode(rest.subarray(1))}`);
      // Of a key that is there twice the last counts: the figures before would not be the report's.
      return FIGURES.some((part) => Object.hasOwn(fields, part)) ? null : fields;
    } catch {
      return null;
    }
  }

  /** The report by streaming: JSON of another layout, or another text. */
  read(): Promise<ReportResult> {
    return readReportStream(createReadStream(this.path, { highWaterMark: CHUNK_BYTES }));
  }

  private next(bytes: number): Buffer | null {
    const buffer = Buffer.allocUnsafe(bytes);
    for (let filled = 0; filled < bytes; ) {
      const read = readSync(this.file, buffer, filled, bytes - filled, this.place);
      if (read === 0) return null;
      filled += read;
      this.place += read;
    }
    return buffer;
  }
}
