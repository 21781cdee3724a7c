import { readFile } from "node:fs/promises";
import type { InputProblem } from "../../contract/input.ts";
import { type SealFinding, sealSentence } from "../../contract/seal.ts";
import type { Store } from "../store/open-store.ts";
import type { RoundRow } from "../store/schema.ts";
import { sha256Of } from "./sha256.ts";

/** A stored file by what it is called and by its digest. */
export type NamedFile = readonly [what: string, sha256: string];

const REFUSED = "NotAsJudged";

/** A file of a round is not, or no longer, the one that was judged. */
export class NotAsJudged extends Error {
  /** Of HTTP: 410 where it is gone, else 409. */
  readonly status: 409 | 410;

  constructor(findings: readonly SealFinding[], { not, was }: Refusal = { not: "Not given", was: "judged" }) {
    super(`${not}: ${findings.map((finding) => sealSentence(finding, { was })).join("; ")}.`);
    this.name = REFUSED;
    this.status = findings.every(({ kind }) => kind === "missing") ? 410 : 409;
  }
}

/** Whether an error is one: by its name, since a server may hold a module several times. */
export const isNotAsJudged = (error: unknown): error is NotAsJudged =>
  error instanceof Error && error.name === REFUSED;

/** The files that a round was judged from, by their digests. */
export function judgedFiles(
  row: Pick<RoundRow, "contract_sha256" | "policy_sha256" | "stream_sha256" | "report_sha256">,
): NamedFile[] {
  const inputs: NamedFile[] = [
    ["contract", row.contract_sha256],
    ["policy", row.policy_sha256],
    ["stream", row.stream_sha256],
  ];
  return row.report_sha256 === null ? inputs : [...inputs, ["report", row.report_sha256]];
}

/** What is wrong with some files. @param whole whether large ones that must be read first are waited for */
export async function fileFindings(
  { seals }: Store,
  files: readonly NamedFile[],
  whole: boolean,
): Promise<SealFinding[]> {
  const looked = await Promise.all(
    files.map(async ([what, sha256]): Promise<SealFinding | null> => {
      const seal = await (whole ? seals.check(sha256) : seals.look(sha256));
      if (seal.kind === "kept") return null;
      return { kind: seal.kind, what, expected: sha256, found: seal.kind === "changed" ? seal.found : null };
    }),
  );
  return looked.filter((finding) => finding !== null);
}

/** Where what is stored is not what it was, what comes of it, and what it was: "Not decided", "submitted". */
export interface Refusal {
  not: string;
  was: string;
}

/** Refuses (NotAsJudged) where one of some stored files is another one, or gone. */
export async function demandKept(store: Store, files: readonly NamedFile[], refusal: Refusal): Promise<void> {
  const findings = await fileFindings(store, files, true);
  if (findings.length > 0) throw new NotAsJudged(findings, refusal);
}

/**
 * Looks at the files of some work before it begins: NotAsJudged where one is another one, or gone. What comes back looks
 * afterwards whether one was touched meanwhile, and refuses then: it may have been another one while it was read, and be
 * itself again.
 */
export async function holdKept(
  store: Store,
  files: readonly NamedFile[],
  refusal: Refusal,
): Promise<() => Promise<void>> {
  const states = () => Promise.all(files.map(([, sha256]) => store.seals.state(sha256)));
  const before = await states();
  await demandKept(store, files, refusal);
  return async () => {
    await demandKept(store, files, refusal);
    const touched = (await states()).findIndex((state, at) => state !== before[at]);
    if (touched >= 0)
      throw new Error(
        `${refusal.not}: the stored ${files[touched]![0]} was touched while it was worked on, so that it is not known what was read; nobody must write to the data folder meanwhile. It can be tried again`,
      );
  };
}

/** The text of a stored document, which is what its digest says; NotAsJudged where it is another one, or gone. */
export async function keptText(store: Store, [what, sha256]: NamedFile): Promise<string> {
  const bytes = await readFile(store.artifacts.path(sha256)).catch(() => null);
  // The very bytes that are given: the file may be another one by now.
  if (bytes !== null && sha256Of(bytes) === sha256) return bytes.toString("utf8");
  const found = bytes === null ? null : sha256Of(bytes);
  const kind = found === null ? "missing" : "changed";
  throw new NotAsJudged([{ kind, what, expected: sha256, found }], { not: "Not taken", was: "kept" });
}

/** Runs what takes stored files for a submission; that one is not what was judged is a problem of `name`. */
export async function telling<T>(
  name: string,
  work: () => Promise<T>,
): Promise<T | { ok: false; problems: InputProblem[] }> {
  try {
    return await work();
  } catch (error) {
    if (!isNotAsJudged(error)) throw error;
    return { ok: false, problems: [{ file: name, path: "", message: error.message }] };
  }
}
