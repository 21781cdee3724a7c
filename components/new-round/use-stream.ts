"use client";

import { useCallback, useRef, useState } from "react";
import type { StreamPlan } from "./stream-api.ts";
import type { HeldStream, StreamChoice } from "./stream-choice.ts";
import type { UploadProgress } from "./stream-field.tsx";
import { type FinishedUpload, uploadFile } from "./upload-file.ts";

/** A stream as the server takes it. */
export type SentStream = HeldStream["source"] | { kind: "text"; name: string; text: string };

/** Between two looks at whether the stream was recognised. */
const PLAN_WAIT_MS = 50;

/** How a stream is read, as what looks at its first lines says, for whoever waits for that. */
export function usePlan() {
  const plan = useRef<StreamPlan>(undefined);
  const setPlan = useCallback((next: StreamPlan) => {
    plan.current = next;
  }, []);
  const knownPlan = useCallback(async () => {
    while (plan.current === undefined) await new Promise((resolve) => setTimeout(resolve, PLAN_WAIT_MS));
    return plan.current;
  }, []);
  return { setPlan, knownPlan };
}

/** An upload that goes on, or is done. */
interface OneUpload {
  file: File;
  abort: AbortController;
  finished: Promise<FinishedUpload>;
}

/** Uploads a file once, however often it is asked for; another file ends the upload of the one before. */
function useUpload(onUploaded: (upload: FinishedUpload) => void) {
  const [progress, setProgress] = useState<UploadProgress | null>(null);
  const [upload, setUpload] = useState<FinishedUpload | null>(null);
  const current = useRef<OneUpload | null>(null);

  const end = useCallback(() => {
    current.current?.abort.abort();
    current.current = null;
    setProgress(null);
    setUpload(null);
  }, []);

  const begin = useCallback(
    (file: File): OneUpload => {
      end();
      const [abort, started_at_ms] = [new AbortController(), Date.now()];
      const isCurrent = () => current.current?.file === file && current.current.abort === abort;
      const told = (bytes: number) => {
        if (isCurrent()) setProgress({ sent: bytes, total: file.size, started_at_ms });
      };
      const begun = { file, abort, finished: uploadFile(file, abort.signal, told) };
      current.current = begun;
      begun.finished.then(
        (done) => {
          onUploaded(done);
          if (!isCurrent()) return;
          setUpload(done);
          setProgress(null);
        },
        () => {
          // What did not arrive is sent again by whoever needs it.
          if (isCurrent()) end();
        },
      );
      return begun;
    },
    [end, onUploaded],
  );

  const finished = useCallback(
    (file: File): Promise<FinishedUpload> =>
      (current.current?.file === file ? current.current : begin(file)).finished,
    [begin],
  );
  return { progress, upload, finished, end };
}

const NOBODY = () => {};

/**
 * The stream of a form: what was chosen, how it is read, and its upload, which is made once.
 * @param onUploaded told of a file that has arrived, also when the page was left meanwhile
 */
export function useStream(onUploaded: (upload: FinishedUpload) => void = NOBODY) {
  const [choice, setChoice] = useState<StreamChoice | null>(null);
  const { setPlan, knownPlan } = usePlan();
  const { progress, upload, finished, end } = useUpload(onUploaded);

  const sent = async (chosen: StreamChoice): Promise<SentStream> => {
    if (chosen.kind === "text") return chosen;
    if (chosen.kind === "held") return chosen.source;
    return { kind: "upload", ...(await finished(chosen.file)) };
  };

  return {
    choice,
    setChoice,
    progress,
    setPlan,
    /** The choice's upload, once it has arrived. */
    upload,
    /** Begins to upload a file before anybody needs it; rejects where it does not arrive. */
    uploadAhead: finished,
    /** How a choice is read, once its first lines were looked at, and the choice uploaded. Rejects where that fails. */
    send: async (chosen: StreamChoice): Promise<{ mapping: unknown; stream: SentStream }> => {
      const { mapping } = await knownPlan();
      return { mapping, stream: await sent(chosen) };
    },
    /** Ends the upload, or forgets it: what is not whole, or gone, is made again. */
    endUpload: end,
  };
}
