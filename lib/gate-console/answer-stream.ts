import type { LogWorkLine } from "../../contract/gate-console.ts";
import type { Waiting } from "./work-on-logs.ts";

/**
 * An answer that takes its time: a line of JSON for each thing that is said of it, the last one the answer itself. Whoever
 * hangs up ends the work.
 */
export function answerStream<Answer>(
  request: AbortSignal,
  work: (waiting: Waiting) => Promise<Answer>,
): Response {
  const hungUp = new AbortController();
  const signal = AbortSignal.any([request, hungUp.signal]);
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>({
    async start(controller) {
      const say = (line: LogWorkLine<Answer>) => {
        if (!signal.aborted) controller.enqueue(encoder.encode(`${JSON.stringify(line)}\n`));
      };
      try {
        const answer = await work({ signal, onProgress: (progress) => say({ kind: "progress", progress }) });
        say({ kind: "answer", answer });
        if (!signal.aborted) controller.close();
      } catch (error) {
        controller.error(error);
      }
    },
    cancel: () => hungUp.abort(),
  });
  return new Response(body, {
    headers: { "content-type": "application/x-ndjson", "cache-control": "no-store, no-transform" },
  });
}
