"use client";

import { useEffect, useState } from "react";
import type { InputProblem } from "../../contract/input.ts";
import type { DocumentKind, KeptDocument, KeptText, KeptVersion } from "../../contract/round-view.ts";

/** A contract or policy on the page: its text as it is now, and the kept version it was taken from. */
export interface DocumentValue {
  /** Name of the file, where it is of none that is kept. */
  name: string;
  text: string;
  base: KeptText | null;
  /** Counts up where the text is another document's, not where it is edited: a form reads its document once. */
  edition: number;
}

/** A kept version, as a page opens with it. */
export const keptDocument = (base: KeptText, edition = 0): DocumentValue => ({
  name: base.name,
  text: base.text,
  base,
  edition,
});

/** A text that is none that is kept, in the place of a document. */
export const anotherDocument = (instead: DocumentValue, name: string, text: string): DocumentValue => ({
  name,
  text,
  base: null,
  edition: instead.edition + 1,
});

/** What is wrong with each; null where it was not judged (yet). */
export interface DocumentProblems {
  contract: InputProblem[] | null;
  policy: InputProblem[] | null;
}

export type KeepResult =
  | { kind: "kept" | "same" | "meanwhile"; version: KeptVersion }
  | { kind: "unstored"; problem: string }
  | { kind: "refused"; problems: InputProblem[] };

/** What the page asks of the server for its documents. */
export interface DocumentActions {
  listDocuments: (kind: DocumentKind) => Promise<KeptDocument[]>;
  documentHistory: (id: string) => Promise<KeptVersion[]>;
  documentText: (id: string, version: number) => Promise<KeptText | { problem: string } | null>;
  keepDocument: (value: {
    kind: DocumentKind;
    name: string;
    after: number;
    texts: Record<DocumentKind, { name: string; text: string }>;
  }) => Promise<KeepResult>;
}

const CHECK_AFTER_MS = 250;

/** How a document is named in a round and in its problems. */
export function fileOf({ name, text, base }: DocumentValue): { name: string; text: string } {
  if (base === null) return { name, text };
  return { name: `${base.name} ${text === base.text ? `v${base.version.version}` : "(edited)"}`, text };
}

/** Both documents as they are sent. */
export const filesOf = (contract: DocumentValue, policy: DocumentValue) => ({
  contract: fileOf(contract),
  policy: fileOf(policy),
});

/** What is wrong with both, asked at once; nothing where the server does not answer. */
export async function problemsOf(contract: DocumentValue, policy: DocumentValue): Promise<InputProblem[]> {
  try {
    const body = JSON.stringify(filesOf(contract, policy));
    const answer = await fetch("/api/documents/check", { method: "POST", body });
    const found = answer.ok ? ((await answer.json()) as DocumentProblems) : null;
    return [...(found?.contract ?? []), ...(found?.policy ?? [])];
  } catch {
    return [];
  }
}

/** Judges both documents a moment after the last change, by the same reading that a round begins with (§1). */
export function useProblems(contract: DocumentValue, policy: DocumentValue): DocumentProblems {
  const [problems, setProblems] = useState<DocumentProblems>({ contract: null, policy: null });
  const [first, second] = [fileOf(contract), fileOf(policy)];
  const body = JSON.stringify({ contract: first, policy: second });
  useEffect(() => {
    const abort = new AbortController();
    const timer = setTimeout(async () => {
      try {
        const answer = await fetch("/api/documents/check", { method: "POST", body, signal: abort.signal });
        if (answer.ok) setProblems((await answer.json()) as DocumentProblems);
        else setProblems({ contract: null, policy: null });
      } catch {
        // Asked again, or the server is away: then nothing is known, and nothing is said to be right.
        if (!abort.signal.aborted) setProblems({ contract: null, policy: null });
      }
    }, CHECK_AFTER_MS);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [body]);
  return problems;
}

const REMEMBERED = "tenantthrottle.documents";

/** Notes which kept documents this browser used last. */
export function rememberDocuments(contract: DocumentValue, policy: DocumentValue): void {
  const ids = { contract: contract.base?.version.document_id, policy: policy.base?.version.document_id };
  try {
    localStorage.setItem(REMEMBERED, JSON.stringify(ids));
  } catch {
    // A browser that keeps nothing chooses anew each time.
  }
}

/** The kept document of a kind that this browser used last; null for none. */
export function rememberedDocument(kind: DocumentKind): string | null {
  try {
    const ids: unknown = JSON.parse(localStorage.getItem(REMEMBERED) ?? "{}");
    const id = (ids as Record<string, unknown>)[kind];
    return typeof id === "string" ? id : null;
  } catch {
    return null;
  }
}
