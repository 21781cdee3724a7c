import type { APIRequestContext } from "@playwright/test";
import { strFromU8, strToU8, unzipSync, zipSync } from "fflate";

/** The bundle at an address. */
export async function bundleAt(request: APIRequestContext, path: string): Promise<Buffer> {
  const answer = await request.get(path);
  if (!answer.ok()) throw new Error(`${path} answered ${answer.status()}`);
  return answer.body();
}

/** A bundle with the text of one entry changed; what its manifest says of sizes follows, what it says of digests does not. */
export function withEntry(bundle: Buffer, entry: string, change: (text: string) => string): Buffer {
  const entries = unzipSync(bundle);
  const before = strFromU8(entries[entry]!);
  const after = strToU8(change(before));
  if (strFromU8(after) === before) throw new Error(`nothing of ${entry} was changed`);
  const manifest = strFromU8(entries["manifest.json"]!).replace(
    `"bytes": ${entries[entry]!.length},`,
    `"bytes": ${after.length},`,
  );
  return Buffer.from(zipSync({ ...entries, "manifest.json": strToU8(manifest), [entry]: after }));
}

/** A bundle without its stream, as somebody would make it who keeps the stream back. */
export function withoutStream(bundle: Buffer): Buffer {
  const { "stream.jsonl": _, ...entries } = unzipSync(bundle);
  const manifest = JSON.parse(strFromU8(entries["manifest.json"]!)) as { files: Record<string, unknown> };
  manifest.files.stream = null;
  return Buffer.from(zipSync({ ...entries, "manifest.json": strToU8(JSON.stringify(manifest)) }));
}
