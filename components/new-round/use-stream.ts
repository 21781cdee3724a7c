"use client";

import { useCallback, useRef, useState } from "react";
import type { StreamPlan } from "./stream-api.ts";
import type { StreamChoice, UploadProgress } from "./stream-field.tsx";
import { type FinishedUpload, uploadFile } from "./upload-file.ts";

/** A stream as the server takes it. */
export type SentStream = ({ kind: "upload" } & FinishedUpload) | { kind: "text"; name: string; text: string };

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

/** The stream of a form: what was chosen, how it is read, and its upload, which is made once. */
export function useStream() {
  const [choice, setChoice] = useState<StreamChoice | null>(null);
  const [progress, setProgress] = useState<UploadProgress | null>(null);
  const { setPlan, knownPlan } = usePlan();
  const uploaded = useRef<{ file: File; upload: FinishedUpload } | null>(null);
  const abort = useRef<AbortController | null>(null);

  const sent = async (chosen: StreamChoice): Promise<SentStream> => {
    if (chosen.kind === "text") return chosen;
    const started_at_ms = Date.now();
    abort.current = new AbortController();
    const { file } = chosen;
    // A file that was uploaded for a proposal is there for its round.
    if (uploaded.current?.file !== file)
      uploaded.current = {
        file,
        upload: await uploadFile(file, abort.current.signal, (bytes) =>
          setProgress({ sent: bytes, total: file.size, started_at_ms }),
        ),
      };
    return { kind: "upload", ...uploaded.current.upload };
  };

  return {
    choice,
    setChoice,
    progress,
    setPlan,
    /** How a choice is read, once its first lines were looked at, and the choice uploaded. Rejects where that fails. */
    send: async (chosen: StreamChoice): Promise<{ mapping: unknown; stream: SentStream }> => {
      const { mapping } = await knownPlan();
      try {
        return { mapping, stream: await sent(chosen) };
      } finally {
        setProgress(null);
      }
    },
    /** Forgets the upload: one that is not whole, or gone, is made again. */
    forget: () => {
      uploaded.current = null;
    },
    cancel: () => abort.current?.abort(),
  };
}
