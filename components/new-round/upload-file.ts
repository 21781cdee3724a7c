/** An upload that arrived whole, as the browser knows it. */
export interface FinishedUpload {
  upload_id: string;
  sha256: string;
  bytes: number;
  name: string;
}

const ENDPOINT = "/api/uploads";
/** Bytes sent in one request: an interrupted upload loses at most this. */
const CHUNK_BYTES = 8 * 1024 * 1024;
/** Insufficient storage. */
const DISK_FULL = 507;
const RETRY_MS = [0, 1000, 3000, 5000, 10_000];

/** SHA-256 of a file, read in pieces so that the page keeps answering. */
async function digestOf(file: File, signal: AbortSignal): Promise<string> {
  const [{ sha256 }, { bytesToHex }] = await Promise.all([
    import("@noble/hashes/sha2.js"),
    import("@noble/hashes/utils.js"),
  ]);
  const hash = sha256.create();
  for (let start = 0; start < file.size; start += CHUNK_BYTES) {
    signal.throwIfAborted();
    hash.update(new Uint8Array(await file.slice(start, start + CHUNK_BYTES).arrayBuffer()));
  }
  return bytesToHex(hash.digest());
}

async function send(file: File, signal: AbortSignal, onProgress: (sent: number) => void): Promise<string> {
  // Loaded when something is uploaded: no page needs it to be shown.
  const { DetailedError, Upload, defaultOptions } = await import("tus-js-client");
  const isFull = (error: Error) =>
    error instanceof DetailedError && error.originalResponse?.getStatus() === DISK_FULL;
  signal.throwIfAborted();
  return new Promise((resolve, reject) => {
    const upload = new Upload(file, {
      endpoint: ENDPOINT,
      chunkSize: CHUNK_BYTES,
      retryDelays: RETRY_MS,
      metadata: { filename: file.name },
      removeFingerprintOnSuccess: true,
      onProgress,
      // A full disk has no more room a second later, and what was sent is gone.
      onShouldRetry: (error, attempt, options) =>
        !isFull(error) && (defaultOptions.onShouldRetry?.(error, attempt, options) ?? true),
      onError: (error) =>
        reject(isFull(error) ? new Error("there is no space left on the server's disk") : error),
      onSuccess: () => resolve(upload.url?.split("/").at(-1) ?? ""),
    });
    signal.addEventListener("abort", () => {
      // Where it is gone from the server already there is nothing to be removed.
      upload.abort(true).catch(() => {});
      reject(new DOMException("Cancelled", "AbortError"));
    });
    upload.findPreviousUploads().then((previous) => {
      if (previous[0] !== undefined) upload.resumeFromPreviousUpload(previous[0]);
      upload.start();
    }, reject);
  });
}

/** Uploads a file so that it can be resumed, and finds its digest meanwhile: the server compares both at the end. */
export async function uploadFile(
  file: File,
  signal: AbortSignal,
  onProgress: (sent: number) => void,
): Promise<FinishedUpload> {
  const [upload_id, digest] = await Promise.all([send(file, signal, onProgress), digestOf(file, signal)]);
  return { upload_id, sha256: digest, bytes: file.size, name: file.name };
}
