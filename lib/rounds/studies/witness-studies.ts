import { readFile } from "node:fs/promises";
import type { Reading } from "../../../contract/request.ts";
import type { StudyItem } from "../../../contract/study.ts";
import type { BreachWitness } from "../../../contract/witness.ts";
import { readColumns } from "../../ingest/canonical-stream.ts";
import type { Store } from "../../store/open-store.ts";
import { readInputFile } from "../../store/read-file.ts";
import { keptText, telling } from "../file-seals.ts";
import { demandEntries } from "../round-seals.ts";
import { validateDocuments } from "../run/documents.ts";
import type { RoundsService } from "../service.ts";
import type { SubmitResult } from "../submission.ts";
import { breachWitness } from "./breach-witness.ts";
import { listRequests } from "./request-list.ts";
import type { Studies } from "./studies.ts";
import { inputFiles, inputPaths } from "./study-inputs.ts";
import type { StudyInputs } from "./study-message.ts";
import type { AskedStudy } from "./study-work.ts";

/** What a witness is looked for in, as it is kept. */
export interface WitnessInputs {
  round_id: string;
  tenant: string;
  reading: Reading;
  contract_sha256: string;
  policy_sha256: string;
  stream_sha256: string;
}

const questionOf = (round_id: string, tenant: string): string => JSON.stringify([round_id, tenant]);

/** The use cases of breach witnesses: one a round and tenant, found once. */
export class WitnessStudies {
  private readonly store: Store;
  private readonly rounds: RoundsService;
  private readonly studies: Studies;

  constructor(store: Store, rounds: RoundsService, studies: Studies) {
    this.store = store;
    this.rounds = rounds;
    this.studies = studies;
  }

  /** Looks for the witness of a tenant's first breach, or finds the one that is there. Null where there is no such round. */
  async start(round_id: string, tenant: string): Promise<string | null> {
    const row = await this.store.rounds.get(round_id);
    if (row === null) return null;
    demandEntries([row]);
    const { contract_sha256, policy_sha256, stream_sha256 } = row;
    const reading = row.reading as Reading;
    const inputs: WitnessInputs = {
      round_id,
      tenant,
      reading,
      contract_sha256,
      policy_sha256,
      stream_sha256,
    };
    return this.studies.start({
      kind: "witness",
      name: row.name,
      question: questionOf(round_id, tenant),
      inputs,
      artifacts: [contract_sha256, policy_sha256, stream_sha256],
    });
  }

  /** The witness that was looked for, however that stands; null where nobody has yet. */
  async find(round_id: string, tenant: string): Promise<StudyItem<BreachWitness> | null> {
    const question = questionOf(round_id, tenant);
    return (await this.studies.latest<WitnessInputs, BreachWitness>("witness", question))?.item ?? null;
  }

  /** Its stream as a file; null where there is none. */
  async stream(round_id: string, tenant: string): Promise<{ name: string; text: string } | null> {
    const smallest = (await this.find(round_id, tenant))?.result?.smallest ?? null;
    return smallest === null ? null : { name: "witness.jsonl", text: smallest.stream };
  }

  /** A round over the witness, by the documents and with the faults of the round that it was found in. */
  async rerun(round_id: string, tenant: string): Promise<SubmitResult | null> {
    const row = await this.store.rounds.get(round_id);
    const stream = await this.stream(round_id, tenant);
    if (row === null || stream === null) return null;
    return telling(row.name, async () =>
      this.rounds.submit({
        name: `Witness of a breach in ${row.name}`,
        reading: "strict",
        faults: JSON.parse(row.faults) as string[],
        contract: {
          name: row.contract_name,
          text: await keptText(this.store, ["contract", row.contract_sha256]),
        },
        policy: { name: row.policy_name, text: await keptText(this.store, ["policy", row.policy_sha256]) },
        stream: { kind: "text", ...stream },
      }),
    );
  }
}

/** A witness's stored inputs as what its process is asked. */
export function askWitness({ artifacts }: Store, inputs: WitnessInputs): AskedStudy {
  const { tenant } = inputs;
  return {
    question: { kind: "witness", inputs: inputPaths(artifacts, inputs), tenant },
    files: inputFiles(inputs),
  };
}

/** Looks for the witness in stored inputs; in the study's own process. */
export async function findWitness(inputs: StudyInputs, tenant: string): Promise<BreachWitness> {
  const [contract, policy] = await Promise.all([readFile(inputs.contract), readFile(inputs.policy)]);
  const documents = validateDocuments(contract!, policy!, { contract: "contract", policy: "policy" });
  if (!documents.ok) throw new Error("the stored documents are no longer valid");
  const { columns } = await readColumns(readInputFile(inputs.input));
  return breachWitness(documents.value, listRequests(columns), tenant);
}
