/**
 * The recheck in a browser's worker: the reference, both comparisons and the digests, without a line of the server's. One
 * worker does one recheck; whoever cancels it ends the worker.
 */
import type { RecheckMessage, RecheckRequest } from "../../contract/recheck.ts";
import { unpackBundle } from "../bundle/unpack-bundle.ts";
import { nobleSha256 } from "./noble-sha256.ts";
import { recheckSource } from "./recheck-source.ts";

/** The worker's own side of its port; the types at hand are those of a page. */
const port = globalThis as unknown as {
  postMessage(message: RecheckMessage): void;
  onmessage: ((event: { data: RecheckRequest }) => void) | null;
};

/** An error of the machine, not of the file: memory, or a file that vanished while it was read. */
const words = (error: unknown): string => (error instanceof Error ? error.message : String(error));

async function answer(request: RecheckRequest): Promise<RecheckMessage> {
  if (request.kind === "unpack") return { kind: "unpacked", ...(await unpackBundle(request.bundle)) };
  const started_ms = performance.now();
  const found = await recheckSource(request.source, nobleSha256, (progress) =>
    port.postMessage({ kind: "progress", progress }),
  );
  return { kind: "found", ...found, took_ms: performance.now() - started_ms };
}

port.onmessage = async ({ data }) => {
  try {
    port.postMessage(await answer(data));
  } catch (error) {
    port.postMessage({ kind: "failed", message: words(error) });
  }
};
port.postMessage({ kind: "ready" });
