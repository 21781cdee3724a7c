import type { Reading } from "../../contract/request.ts";
import type { RunAgain } from "../../contract/round-view.ts";
import type { Store } from "../store/open-store.ts";
import type { RoundRow } from "../store/schema.ts";
import { keptText } from "./file-seals.ts";
import { storedJson } from "./round-list-item.ts";
import { logToImport } from "./sharing/round-import.ts";
import type { SubmittedInputs } from "./submission.ts";

type StoredStream = Extract<SubmittedInputs["stream"], { kind: "stored" }>;

/** A round's stream as another round takes it, without an upload. */
export const storedStream = ({ stream_name, stream_sha256, stream_bytes }: RoundRow): StoredStream => ({
  kind: "stored",
  name: stream_name,
  sha256: stream_sha256,
  bytes: stream_bytes,
});

/**
 * What a round was to be decided from, for another one to begin with. A log that was not imported is read by its mapping
 * again; one that was is the canonical stream by now, which needs none. Throws where a document is not what was stored.
 */
export async function runAgain(store: Store, row: RoundRow): Promise<RunAgain> {
  const text = (sha256: string) => keptText(store, ["document", sha256]);
  return {
    round_id: row.id,
    name: row.name,
    reading: row.reading as Reading,
    faults: storedJson<string[]>(row.faults) ?? [],
    contract: { name: row.contract_name, text: await text(row.contract_sha256) },
    policy: { name: row.policy_name, text: await text(row.policy_sha256) },
    stream: { name: row.stream_name, bytes: row.stream_bytes },
    mapping: storedJson<unknown>(logToImport(store, row)?.mapping ?? null),
  };
}
