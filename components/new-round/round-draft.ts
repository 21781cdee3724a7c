import type { FormatId } from "../../contract/log-formats.ts";
import type { MappingDraft } from "../../contract/mapping.ts";
import type { Reading } from "../../contract/request.ts";
import type { DocumentKind, RunAgain } from "../../contract/round-view.ts";
import type { DocumentValue } from "../documents/document-state.ts";
import { draftOf, type StreamDraft } from "./stream-draft.ts";
import type { FinishedUpload } from "./upload-file.ts";

/** How a log is read, as the form has it: the format chosen (empty: by its content), and the mapping's form. */
export interface LogReading {
  format: FormatId | "";
  /** Null for a canonical stream. */
  mapping: StreamDraft | null;
}

/** Which stream was chosen; of a file where it is on the server, null while it is not. */
export type DraftStream =
  | { kind: "scenario" }
  | { kind: "file"; name: string; bytes: number; upload: FinishedUpload | null }
  | { kind: "round"; id: string; name: string; bytes: number };

/** A round that was begun and not started: everything that was chosen, without the stream's own bytes. */
export interface RoundDraft {
  name: string;
  reading: Reading;
  faults: string[];
  documents: Record<DocumentKind, DocumentValue>;
  stream: DraftStream | null;
  log: LogReading | null;
  /** The round whose inputs it began with; null for none. */
  from: string | null;
}

/** The inputs of a round as a draft. */
export function draftOfRound(again: RunAgain): RoundDraft {
  const { round_id, stream, contract, policy, name, reading, faults } = again;
  const mapping = again.mapping === null ? null : draftOf(again.mapping as MappingDraft);
  const opened = (document: { name: string; text: string }) => ({ ...document, base: null, edition: 0 });
  return {
    name: name === stream.name ? "" : name,
    reading,
    faults,
    documents: { contract: opened(contract), policy: opened(policy) },
    stream: { kind: "round", id: round_id, ...stream },
    log: { format: mapping?.format.id === "nginx" ? "nginx" : "", mapping },
    from: round_id,
  };
}

/** Of this tab alone: two tabs begin two rounds. The number is the form's, so that another form is never misread. */
const KEY = "tenantthrottle.new-round.2";

/** The draft that this tab keeps; null for none, and where the browser keeps nothing. */
export function readDraft(): RoundDraft | null {
  try {
    return JSON.parse(sessionStorage.getItem(KEY) ?? "null") as RoundDraft | null;
  } catch {
    return null;
  }
}

/** Keeps a draft, or none; false where the browser does not take it: then none is kept, rather than an older one. */
export function writeDraft(draft: RoundDraft | null): boolean {
  try {
    sessionStorage.removeItem(KEY);
    if (draft !== null) sessionStorage.setItem(KEY, JSON.stringify(draft));
    return true;
  } catch {
    return false;
  }
}

/** Notes with the draft that its file has arrived, also where its page was left meanwhile. */
export function noteUpload(upload: FinishedUpload): void {
  const draft = readDraft();
  const { stream } = draft ?? { stream: null };
  if (draft === null || stream?.kind !== "file") return;
  if (stream.name !== upload.name || stream.bytes !== upload.bytes) return;
  writeDraft({ ...draft, stream: { ...stream, upload } });
}
