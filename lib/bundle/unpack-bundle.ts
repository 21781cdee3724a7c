import type { BundleFile, BundleManifest } from "../../contract/bundle.ts";
import type { BundleBlobs } from "../../contract/recheck.ts";
import { openBundle } from "./open-bundle.ts";

/** The files of a bundle as blobs, which a browser may keep on disk; a broken bundle is a BundleProblem. */
export async function unpackBundle(bundle: Blob): Promise<{ files: BundleBlobs; manifest: BundleManifest }> {
  const { manifest, chunksOf } = await openBundle(bundle);
  const blobOf = async (file: BundleFile): Promise<Blob> => {
    const chunks: Uint8Array<ArrayBuffer>[] = [];
    for await (const chunk of chunksOf(file)) chunks.push(chunk.slice());
    return new Blob(chunks);
  };
  const files = {
    contract: await blobOf("contract"),
    policy: await blobOf("policy"),
    report: await blobOf("report"),
    stream: manifest.files.stream === null ? null : await blobOf("stream"),
  };
  return { files, manifest };
}
