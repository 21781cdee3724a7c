import type { InputProblem, InputResult } from "../../contract/input.ts";
import type { FormatSpec, LogPreview, Recognised, SavedMapping } from "../../contract/mapping.ts";
import type { StartingPointResult } from "../../contract/starting-point.ts";
import { beginningOf, type StreamChoice } from "./stream-choice.ts";
import type { FinishedUpload } from "./upload-file.ts";

/** How a stream is to be read: as it is (null), under a mapping, or not known yet (undefined). */
export type StreamPlan = { mapping: unknown } | undefined;

/** What the server answers about a stream before it is uploaded, from its first bytes. */
export interface StreamApi {
  recognise(form: FormData): Promise<Recognised>;
  preview(form: FormData): Promise<InputResult<LogPreview>>;
  mappings(): Promise<SavedMapping[]>;
  saveMapping(name: string, mapping: unknown): Promise<InputProblem[]>;
  removeMapping(name: string): Promise<string | null>;
  propose(request: unknown): Promise<StartingPointResult>;
  /** The first bytes of an upload; null where the server holds no such upload, or not the whole of it. */
  uploadHead(upload: FinishedUpload): Promise<Uint8Array<ArrayBuffer> | null>;
  /** The first bytes of a stored round's stream; null where it is not stored any more. */
  roundHead(id: string): Promise<Uint8Array<ArrayBuffer> | null>;
}

/** Bytes by which a stream is recognised and previewed. */
const HEAD_BYTES = 256 * 1024;

/** The first bytes of a stream as the server takes them. */
export function headForm(choice: StreamChoice, more: { format?: FormatSpec; mapping?: unknown }): FormData {
  const { blob, isWhole } = beginningOf(choice);
  const form = new FormData();
  form.set("head", blob.slice(0, HEAD_BYTES));
  form.set("whole", isWhole && blob.size <= HEAD_BYTES ? "1" : "0");
  if (more.format !== undefined) form.set("format", JSON.stringify(more.format));
  if (more.mapping !== undefined) form.set("mapping", JSON.stringify(more.mapping));
  return form;
}
