"use client";

import { useCallback, useLayoutEffect, useMemo, useState } from "react";
import type { Reading } from "../../contract/request.ts";
import type { DocumentKind, RunAgain } from "../../contract/round-view.ts";
import type { DocumentValue } from "../documents/document-state.ts";
import { inWords, isCancelled } from "../shell/unanswered.ts";
import type { MissingFile } from "./draft-notice.tsx";
import { takeDroppedFile } from "./dropped-file.ts";
import {
  type DraftStream,
  draftOfRound,
  type LogReading,
  noteUpload,
  type RoundDraft,
  readDraft,
  writeDraft,
} from "./round-draft.ts";
import type { StreamApi } from "./stream-api.ts";
import { bytesOf, type HeldStream, nameOf, type StreamChoice } from "./stream-choice.ts";
import type { FinishedUpload } from "./upload-file.ts";
import { useStream } from "./use-stream.ts";

type Documents = Record<DocumentKind, DocumentValue>;

/** A choice as a draft tells it. */
function draftStream(choice: StreamChoice, upload: FinishedUpload | null): DraftStream {
  if (choice.kind === "text") return { kind: "scenario" };
  const [name, bytes] = [nameOf(choice), bytesOf(choice) ?? 0];
  if (choice.kind === "file") return { kind: "file", name, bytes, upload };
  if (choice.source.kind === "round") return { kind: "round", id: choice.source.id, name, bytes };
  const { kind: _, ...held } = choice.source;
  return { kind: "file", name, bytes, upload: held };
}

/** Whether a choice is the stream of a draft, as far as anybody can tell before it is read. */
const isStreamOf = (stream: DraftStream | null, choice: StreamChoice): boolean =>
  stream?.kind === "file" || stream?.kind === "round"
    ? stream.name === nameOf(choice) && stream.bytes === bytesOf(choice)
    : stream?.kind === "scenario" && choice.kind === "text";

/** A document as another one in the place of one that is open: its form is read anew. */
const inPlaceOf = (instead: DocumentValue, document: DocumentValue): DocumentValue => ({
  ...document,
  edition: instead.edition + 1,
});

const bothInPlaceOf = (instead: Documents, documents: Documents): Documents => ({
  contract: inPlaceOf(instead.contract, documents.contract),
  policy: inPlaceOf(instead.policy, documents.policy),
});

/**
 * Everything that is chosen for a round, kept by this tab until the round is started or the draft is discarded: a reload,
 * or another page looked at meanwhile, loses nothing that the server or this browser can have.
 * @param first the documents that the page opens with
 * @param again the inputs of a round that the page was asked for; null for none
 */
export function useRoundDraft(
  first: () => Documents,
  scenarioStream: string,
  streamApi: StreamApi,
  again: RunAgain | null,
) {
  const stream = useStream(noteUpload);
  const { choice, upload, setChoice, setPlan, uploadAhead, endUpload } = stream;
  const [name, setName] = useState("");
  const [reading, setReading] = useState<Reading>("strict");
  const [faults, setFaults] = useState<string[]>([]);
  const [documents, setDocuments] = useState(first);
  /** The documents that nobody has chosen here. */
  const [opened, setOpened] = useState(documents);
  const [log, setLog] = useState<LogReading | null>(null);
  /** Whether it is known what the page opens with; false again once the round is started. */
  const [isOpen, setOpen] = useState(false);
  const [restored, setRestored] = useState<RoundDraft | null>(null);
  const [aside, setAside] = useState<RoundDraft | null>(null);
  /** The stream of a draft until it is chosen again, here or by somebody. */
  const [awaited, setAwaited] = useState<DraftStream | null>(null);
  const [missing, setMissing] = useState<MissingFile | null>(null);
  const [isKept, setKept] = useState(true);
  /** Why a file did not arrive that was uploaded ahead. */
  const [notArrived, setNotArrived] = useState<string | null>(null);

  const draft = useMemo((): RoundDraft | null => {
    const chosen = choice === null ? awaited : draftStream(choice, upload);
    const isUntouched =
      chosen === null &&
      name === "" &&
      reading === "strict" &&
      faults.length === 0 &&
      documents.contract === opened.contract &&
      documents.policy === opened.policy;
    const from = restored?.from ?? null;
    return isUntouched ? null : { name, reading, faults, documents, stream: chosen, log, from };
  }, [restored, choice, upload, awaited, name, reading, faults, documents, opened, log]);

  // With what is seen, not a moment after it: who reloads then has seen it on the page.
  useLayoutEffect(() => {
    if (isOpen) setKept(writeDraft(draft));
  }, [isOpen, draft]);

  const chooseStream = useCallback(
    (next: StreamChoice) => {
      setChoice(next);
      setAwaited(null);
      setMissing(null);
      setNotArrived(null);
      if (next.kind !== "file") return;
      // Sent while the rest is chosen; running the round waits for the same upload, or tries once more.
      uploadAhead(next.file).catch((error: unknown) => {
        if (!isCancelled(error)) setNotArrived(inWords(error));
      });
    },
    [setChoice, uploadAhead],
  );

  const lookFor = useCallback(
    async (wanted: DraftStream | null) => {
      setAwaited(wanted);
      setMissing(null);
      if (wanted === null) return setChoice(null);
      if (wanted.kind === "scenario")
        return chooseStream({ kind: "text", name: "requests.jsonl", text: scenarioStream });
      setChoice(null);
      const { name: file, bytes } = wanted;
      const miss = (why: MissingFile["why"]) => setMissing({ name: file, bytes, why });
      if (wanted.kind === "file" && wanted.upload === null) return miss("not-arrived");
      const source: HeldStream["source"] =
        wanted.kind === "round"
          ? { kind: "round", id: wanted.id, name: file }
          : { kind: "upload", ...wanted.upload! };
      try {
        const head = await (wanted.kind === "round"
          ? streamApi.roundHead(wanted.id)
          : streamApi.uploadHead(wanted.upload!));
        if (head === null) return miss("not-there");
        chooseStream({ kind: "held", source, name: file, bytes, head: new Blob([head]) });
      } catch {
        miss("not-asked");
      }
    },
    [setChoice, chooseStream, scenarioStream, streamApi],
  );

  const takeUp = useCallback(
    (kept: RoundDraft) => {
      setName(kept.name);
      setReading(kept.reading);
      setFaults(kept.faults);
      setDocuments((current) => bothInPlaceOf(current, kept.documents));
      setLog(kept.log);
      setRestored(kept);
      setAside(null);
      void lookFor(kept.stream);
    },
    [lookFor],
  );

  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the page opens
  useLayoutEffect(() => {
    const file = takeDroppedFile();
    const kept = readDraft();
    if (file !== null) {
      // Another round: nothing of the one before goes into it unseen.
      setAside(kept);
      chooseStream({ kind: "file", file });
    } else if (again !== null && kept?.from !== again.round_id) {
      takeUp(draftOfRound(again));
      setAside(kept);
    } else if (kept !== null) takeUp(kept);
    setOpen(true);
  }, []);

  const discard = () => {
    // One that has arrived stays for a while, so that this can be undone.
    if (upload === null) endUpload();
    setAside(draft);
    setName("");
    setReading("strict");
    setFaults([]);
    const afresh = bothInPlaceOf(documents, opened);
    setOpened(afresh);
    setDocuments(afresh);
    setLog(null);
    setRestored(null);
    setNotArrived(null);
    void lookFor(null);
  };

  return {
    ...{ stream, name, setName, reading, setReading, faults, setFaults, documents },
    chooseStream: (next: StreamChoice) => {
      setLog(null);
      chooseStream(next);
    },
    setDocument: (kind: DocumentKind, value: DocumentValue) =>
      setDocuments((current) => ({ ...current, [kind]: value })),
    proposeDocuments: (make: (current: Documents) => Documents) => setDocuments(make),
    /** Opens a document that nobody chose here, unless somebody has chosen one meanwhile. */
    openDocument: (kind: DocumentKind, value: DocumentValue) => {
      setDocuments((current) => (current[kind] === opened[kind] ? { ...current, [kind]: value } : current));
      setOpened((current) => ({ ...current, [kind]: value }));
    },
    setLog,
    setPlan,
    /** How the chosen stream was read when this page was left. */
    initialLog:
      restored !== null && choice !== null && isStreamOf(restored.stream, choice) ? restored.log : null,
    isAfresh: isOpen && restored === null,
    restored: restored === null ? null : restored.from === null ? ("draft" as const) : ("round" as const),
    isAside: aside !== null,
    isKept,
    hasDraft: isOpen && draft !== null,
    missing,
    notArrived,
    discard,
    takeBack: () => {
      if (aside !== null) takeUp(aside);
    },
    lookAgain: () => void lookFor(awaited),
    /** The stream that was sent is not what was chosen, or gone: it must be sent, or chosen, again. */
    loseStream: () => {
      endUpload();
      if (choice?.kind !== "held") return;
      setAwaited(draftStream(choice, null));
      setChoice(null);
      setMissing({ name: choice.name, bytes: choice.bytes, why: "not-there" });
    },
    /** The round is started: what was chosen is with it from now on. */
    end: () => {
      setOpen(false);
      writeDraft(null);
    },
  };
}
