import { useEffect, useRef, useState } from "react";
import type { GateAnswer, LogProgress, LogWorkLine, Worked } from "../../contract/gate-console.ts";
import { inWords } from "../shell/unanswered.ts";

/** How a piece of work on logs stands. `what`: what it is about, as the page names it. */
export type LogWork<Result> =
  | { readonly state: "running"; readonly what: string; readonly progress: LogProgress | null }
  | { readonly state: "failed"; readonly what: string; readonly message: string }
  | { readonly state: "over"; readonly what: string; readonly answer: GateAnswer<Worked<Result>> };

/** Reads lines of JSON as they come. */
async function* linesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const reader = body
    .pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>)
    .getReader();
  let rest = "";
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    const lines = (rest + next.value).split("\n");
    rest = lines.pop()!;
    yield* lines;
  }
}

async function* linesFrom<Result>(
  url: string,
  body: Blob | string,
  signal: AbortSignal,
): AsyncGenerator<LogWorkLine<GateAnswer<Worked<Result>>>> {
  const response = await fetch(url, { method: "POST", body, signal });
  if (!response.ok || response.body === null)
    throw new Error(`the console answered ${response.status}: ${await response.text()}`);
  for await (const line of linesOf(response.body)) yield JSON.parse(line);
}

/** Work on logs that the console does in a process of its own; leaving the page, or another start, ends it. */
export function useLogWork<Result>() {
  const [work, setWork] = useState<LogWork<Result> | null>(null);
  const current = useRef<AbortController | null>(null);
  useEffect(() => () => current.current?.abort(), []);

  async function start(what: string, url: string, body: Blob | string): Promise<void> {
    current.current?.abort();
    const own = new AbortController();
    current.current = own;
    const show = (next: LogWork<Result> | null) => {
      if (current.current === own) setWork(next);
    };
    show({ state: "running", what, progress: null });
    try {
      let isOver = false;
      for await (const line of linesFrom<Result>(url, body, own.signal)) {
        if (line.kind === "progress") show({ state: "running", what, progress: line.progress });
        else show({ state: "over", what, answer: line.answer });
        isOver = line.kind === "answer";
      }
      if (!isOver) throw new Error("the console's answer broke off");
    } catch (error) {
      if (own.signal.aborted) show(null);
      else show({ state: "failed", what, message: inWords(error) });
    }
  }

  const cancel = () => current.current?.abort();
  return { work, start, cancel };
}
