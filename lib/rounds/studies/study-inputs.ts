import type { Reading } from "../../../contract/request.ts";
import type { Artifacts } from "../../store/artifacts.ts";
import type { NamedFile } from "../file-seals.ts";
import type { StudyInputs } from "./study-message.ts";

/** Digests of the documents and the stream that a study works on. */
interface InputDigests {
  contract_sha256: string;
  policy_sha256: string;
  stream_sha256: string;
}

/** The same as paths among the artifacts. */
export const inputPaths = (
  artifacts: Artifacts,
  { contract_sha256, policy_sha256, stream_sha256, reading }: InputDigests & { reading: Reading },
): StudyInputs => ({
  contract: artifacts.path(contract_sha256),
  policy: artifacts.path(policy_sha256),
  input: artifacts.path(stream_sha256),
  reading,
});

/** The same as files to be looked at before and after. */
export const inputFiles = ({ contract_sha256, policy_sha256, stream_sha256 }: InputDigests): NamedFile[] => [
  ["contract", contract_sha256],
  ["policy", policy_sha256],
  ["stream", stream_sha256],
];
