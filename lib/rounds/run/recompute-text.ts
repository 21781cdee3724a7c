import { type ReferenceResult, recompute } from "../../reference/recompute.ts";
import { nodeSha256 } from "../sha256.ts";
import type { Documents } from "./documents.ts";

/** What the reference, which shares no line with the engine, makes of a short stream in strict reading (§5.1). */
export function recomputeText(
  { contract, policy }: Pick<Documents, "contract" | "policy">,
  text: string,
  trace = false,
): Promise<ReferenceResult> {
  const stream = (async function* () {
    yield new TextEncoder().encode(text);
  })();
  return recompute({ contract, policy, stream, reading: "strict", sha256: nodeSha256, trace });
}
