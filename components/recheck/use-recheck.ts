"use client";

import { useCallback, useEffect, useRef, useState } from "react";
import type { BundleManifest } from "../../contract/bundle.ts";
import type {
  Recheck,
  RecheckMessage,
  RecheckProgress,
  RecheckRequest,
  RecheckSource,
} from "../../contract/recheck.ts";
import { inWords } from "../shell/unanswered.ts";
import { loadResult } from "./lazy-result.tsx";

/** What a recheck in this browser is at. */
export type RecheckState =
  | { kind: "idle" }
  | { kind: "fetching"; received: number; started_at_ms: number }
  | { kind: "working"; progress: RecheckProgress | null; started_at_ms: number }
  | { kind: "done"; recheck: Recheck; manifest: BundleManifest | null; took_ms: number }
  | { kind: "failed"; message: string };

/** The one place of the components that reaches into `lib`: the worker's code is loaded by its address, never imported. */
const newWorker = (): Worker =>
  new Worker(new URL("../../lib/recheck/recheck-worker.ts", import.meta.url), { type: "module" });

/** Reads a bundle from its address; `onReceived` is told the bytes so far. */
async function fetchBundle(
  url: string,
  signal: AbortSignal,
  onReceived: (bytes: number) => void,
): Promise<Blob> {
  const answer = await fetch(url, { signal, cache: "no-store" });
  if (!answer.ok || answer.body === null) {
    const { error } = (await answer.json().catch(() => ({}))) as { error?: unknown };
    throw new Error(typeof error === "string" ? error : `the server answered ${answer.status}`);
  }
  const reader = answer.body.getReader();
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let received = 0;
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    chunks.push(next.value as Uint8Array<ArrayBuffer>);
    received += next.value.length;
    onReceived(received);
  }
  return new Blob(chunks);
}

const WAIT_MS = 500;

/** Keeps one worker ready ahead of time, so that a recheck works without a network once the page is loaded. */
function useSpareWorker(): { isReady: boolean; take: () => Worker } {
  const spare = useRef<Worker | null>(null);
  const [isReady, setReady] = useState(false);
  const prepare = useCallback(() => {
    const worker = newWorker();
    worker.onmessage = async ({ data }: MessageEvent<RecheckMessage>) => {
      if (data.kind !== "ready") return;
      // What shows a result is loaded late too, and must be there before the network goes.
      await loadResult().then(
        () => setReady(true),
        () => {},
      );
    };
    // Its code could not be loaded: the next one that is asked for may tell why.
    worker.onerror = () => {
      if (spare.current === worker) spare.current = null;
    };
    spare.current = worker;
  }, []);
  useEffect(() => {
    // After the page itself: what it shows comes first.
    const timer = setTimeout(prepare, WAIT_MS);
    return () => {
      clearTimeout(timer);
      spare.current?.terminate();
      spare.current = null;
    };
  }, [prepare]);
  const take = useCallback(() => {
    const worker = spare.current ?? newWorker();
    prepare();
    return worker;
  }, [prepare]);
  return { isReady, take };
}

type Answer = Exclude<RecheckMessage, { kind: "ready" | "progress" }>;

/** Asks a worker of its own. The promise settles once, whatever the worker does afterwards. */
function ask(
  worker: Worker,
  request: RecheckRequest,
  onProgress: (progress: RecheckProgress) => void,
): Promise<Answer> {
  return new Promise((resolve) => {
    worker.onmessage = ({ data }: MessageEvent<RecheckMessage>) => {
      if (data.kind === "progress") onProgress(data.progress);
      else if (data.kind !== "ready") resolve(data);
    };
    worker.onerror = (event) =>
      resolve({ kind: "failed", message: event.message || "the recheck's code could not be loaded" });
    worker.postMessage(request);
  });
}

/** The files of a bundle, taken out by a worker. Rejects with the reason where it is none. */
export async function unpackBundle(bundle: Blob): Promise<Extract<Answer, { kind: "unpacked" }>> {
  const worker = newWorker();
  const said = await ask(worker, { kind: "unpack", bundle }, () => {});
  worker.terminate();
  if (said.kind === "unpacked") return said;
  throw new Error(said.kind === "failed" ? said.message : "the bundle was not unpacked");
}

/**
 * Rechecks in this browser: a bundle from an address, or files at hand. `isReady` once it can do so without a network
 * (for a bundle that it has). A bundle that was fetched is kept, and is not fetched again.
 */
export function useRecheck(): {
  state: RecheckState;
  isReady: boolean;
  start: (source: RecheckSource | { kind: "url"; url: string }) => Promise<void>;
  cancel: () => void;
} {
  const [state, setState] = useState<RecheckState>({ kind: "idle" });
  const { isReady, take } = useSpareWorker();
  const kept = useRef<{ url: string; bundle: Blob } | null>(null);
  const stop = useRef<() => void>(() => {});

  const cancel = useCallback(() => {
    stop.current();
    stop.current = () => {};
    setState({ kind: "idle" });
  }, []);
  useEffect(() => () => stop.current(), []);

  const start = useCallback(
    async (source: RecheckSource | { kind: "url"; url: string }) => {
      stop.current();
      const abort = new AbortController();
      const isCurrent = () => !abort.signal.aborted;
      const show = (next: RecheckState) => isCurrent() && setState(next);
      stop.current = () => abort.abort();
      let started_at_ms = Date.now();
      try {
        let files = source.kind === "url" ? null : source;
        if (source.kind === "url" && kept.current?.url === source.url)
          files = { kind: "bundle", bundle: kept.current.bundle };
        if (source.kind === "url" && files === null) {
          show({ kind: "fetching", received: 0, started_at_ms });
          const bundle = await fetchBundle(source.url, abort.signal, (received) =>
            show({ kind: "fetching", received, started_at_ms }),
          );
          kept.current = { url: source.url, bundle };
          files = { kind: "bundle", bundle };
        }
        if (files === null || !isCurrent()) return;
        started_at_ms = Date.now();
        show({ kind: "working", progress: null, started_at_ms });
        const worker = take();
        abort.signal.addEventListener("abort", () => worker.terminate());
        const said = await ask(worker, { kind: "recheck", source: files }, (progress) =>
          show({ kind: "working", progress, started_at_ms }),
        );
        worker.terminate();
        if (said.kind === "failed") show(said);
        else if (said.kind === "found") {
          await loadResult();
          show({ ...said, kind: "done" });
        }
      } catch (error) {
        show({ kind: "failed", message: inWords(error) });
      }
    },
    [take],
  );
  return { state, isReady, start, cancel };
}
