import type { FinishedUpload } from "./upload-file.ts";

/** A stream that the server holds already: what is known of it here is its first bytes. */
export interface HeldStream {
  kind: "held";
  /** How the server is told of it. */
  source: ({ kind: "upload" } & FinishedUpload) | { kind: "round"; id: string; name: string };
  name: string;
  bytes: number;
  head: Blob;
}

/** The stream chosen: a file, the scenario's text, or one that the server holds. */
export type StreamChoice =
  | { kind: "file"; file: File }
  | { kind: "text"; name: string; text: string }
  | HeldStream;

/** Name of a choice. */
export const nameOf = (choice: StreamChoice): string =>
  choice.kind === "file" ? choice.file.name : choice.name;

/** Size of a choice in bytes; null for a text. */
export function bytesOf(choice: StreamChoice): number | null {
  if (choice.kind === "text") return null;
  return choice.kind === "file" ? choice.file.size : choice.bytes;
}

/** The bytes of a choice as far as this browser has them, from its beginning; `isWhole`: whether these are all. */
export function beginningOf(choice: StreamChoice): { blob: Blob; isWhole: boolean } {
  if (choice.kind === "held") return { blob: choice.head, isWhole: choice.head.size === choice.bytes };
  return { blob: choice.kind === "file" ? choice.file : new Blob([choice.text]), isWhole: true };
}
