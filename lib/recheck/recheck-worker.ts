/**
 * The recheck in a browser's worker: the reference, both comparisons and the digests, without a line of the server's. One
 * worker does one recheck; whoever cancels it ends the worker.
 */
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex } from "@noble/hashes/utils.js";
import type { RecheckMessage, RecheckSource } from "../../contract/recheck.ts";
import type { Hasher } from "../reference/canonical-json.ts";
import { recheckSource } from "./recheck-source.ts";

/** The worker's own side of its port; the types at hand are those of a page. */
const port = globalThis as unknown as {
  postMessage(message: RecheckMessage): void;
  onmessage: ((event: { data: RecheckSource }) => void) | null;
};

function noble(): Hasher {
  const hash = sha256.create();
  return { update: (bytes) => void hash.update(bytes), hex: () => bytesToHex(hash.digest()) };
}

/** An error of the machine, not of the file: memory, or a file that vanished while it was read. */
const words = (error: unknown): string => (error instanceof Error ? error.message : String(error));

port.onmessage = async ({ data }) => {
  const started_ms = performance.now();
  try {
    const found = await recheckSource(data, noble, (progress) =>
      port.postMessage({ kind: "progress", progress }),
    );
    port.postMessage({ kind: "found", ...found, took_ms: performance.now() - started_ms });
  } catch (error) {
    port.postMessage({ kind: "failed", message: words(error) });
  }
};
port.postMessage({ kind: "ready" });
