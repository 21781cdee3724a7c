import type { InputProblem } from "../../contract/input.ts";
import { nameFault } from "../../contract/name.ts";
import type { DocumentKind, KeptDocument, KeptText, KeptVersion } from "../../contract/round-view.ts";
import { readContractText, readPolicyText } from "../ingest/read-documents.ts";
import type { DocumentVersion } from "../store/documents.ts";
import type { Store } from "../store/open-store.ts";
import { keptText } from "./file-seals.ts";
import { whyNot } from "./why-not.ts";

const NAME_MAX = 100;

/** Both documents as they are on the page: a policy is judged by its contract (§1.2). */
export interface DocumentTexts {
  contract: { name: string; text: string };
  policy: { name: string; text: string };
}

/** What is wrong with each; a policy cannot be judged while its contract is broken: null. */
export interface DocumentProblems {
  contract: InputProblem[];
  policy: InputProblem[] | null;
}

/** How keeping a document came out. `same`: the latest version has this text already. `meanwhile`: somebody kept another. */
export type KeepResult =
  | { kind: "kept" | "same" | "meanwhile"; version: KeptVersion }
  /** The disk did not take it, or what is stored is not to be relied on. */
  | { kind: "unstored"; problem: string }
  | { kind: "refused"; problems: InputProblem[] };

const encoder = new TextEncoder();

const shown = ({ document_id, version, sha256, bytes, created_at_ms }: DocumentVersion): KeptVersion => ({
  document_id,
  version,
  sha256,
  bytes,
  created_at_ms,
});

/** Judges both texts (§1): every problem with its line and field. */
export function documentProblems({ contract, policy }: DocumentTexts): DocumentProblems {
  const readContract = readContractText(encoder.encode(contract.text), contract.name);
  if (!readContract.ok) return { contract: readContract.problems, policy: null };
  const readPolicy = readPolicyText(encoder.encode(policy.text), readContract.value, policy.name);
  return { contract: [], policy: readPolicy.ok ? [] : readPolicy.problems };
}

/** Contracts and policies kept by name and version: only sound ones are kept, and a version never changes. */
export class SavedDocuments {
  private readonly store: Store;

  constructor(store: Store) {
    this.store = store;
  }

  /** Every kept document of a kind with its latest version. */
  async list(kind: DocumentKind): Promise<KeptDocument[]> {
    const rows = await this.store.documents.latest(kind);
    return rows.map((row) => ({ id: row.document_id, name: row.name, latest: shown(row) }));
  }

  /** The first document that was kept of a kind, as it was kept first: the scenario's (§7). */
  async first(kind: DocumentKind): Promise<KeptText> {
    const first = await this.store.documents.first(kind);
    if (first === null) throw new Error(`no ${kind} is kept: the store was not seeded`);
    return (await this.text(first.document_id, first.version))!;
  }

  /** Keeps the scenario's documents (§7) where nothing is kept yet: there is always one to begin with. */
  async seed(texts: DocumentTexts, name: string): Promise<void> {
    for (const kind of ["contract", "policy"] as const)
      if ((await this.store.documents.first(kind)) === null) await this.keep(kind, name, 0, texts);
  }

  /** The versions of a document, the latest first. */
  async history(document_id: string): Promise<KeptVersion[]> {
    return (await this.store.documents.history(document_id)).map(shown);
  }

  /** A version with its text, and the one before it; the latest where none is named. Null where there is none. */
  async text(document_id: string, version?: number): Promise<KeptText | null> {
    const history = await this.store.documents.history(document_id);
    const found = history.find((row) => version === undefined || row.version === version);
    if (found === undefined) return null;
    const text = await keptText(this.store, [
      `text of ${found.name}, version ${found.version},`,
      found.sha256,
    ]);
    return { name: found.name, version: shown(found), text };
  }

  /**
   * Keeps a document as the version after the one it was edited from (`after`; 0 for a new name). A broken one is
   * refused with its problems; a policy is judged by the contract beside it.
   */
  async keep(kind: DocumentKind, name: string, after: number, texts: DocumentTexts): Promise<KeepResult> {
    const problems = this.keepProblems(kind, name, texts);
    if (problems.length > 0) return { kind: "refused", problems };
    try {
      const keeping = () => this.keepText(kind, name, after, texts[kind].text);
      return await this.store.unreferenced.storing(keeping);
    } catch (error) {
      return { kind: "unstored", problem: whyNot(error) };
    }
  }

  private async keepText(
    kind: DocumentKind,
    name: string,
    after: number,
    content: string,
  ): Promise<KeepResult> {
    const latest = await this.store.documents.named(kind, name);
    const text = await this.store.artifacts.put([content]);
    if (latest !== null && latest.sha256 === text.sha256) return { kind: "same", version: shown(latest) };
    const kept = await this.store.documents.keep(kind, name, after, text, Date.now());
    if (kept !== null) return { kind: "kept", version: shown(kept) };
    await this.store.unreferenced.letGo([text.sha256]);
    return { kind: "meanwhile", version: shown((await this.store.documents.named(kind, name))!) };
  }

  private keepProblems(kind: DocumentKind, name: string, texts: DocumentTexts): InputProblem[] {
    const fault =
      nameFault(name) ?? ([...name].length > NAME_MAX ? `is longer than ${NAME_MAX} characters` : null);
    if (fault !== null) return [{ file: "name", path: "", message: fault }];
    const problems = documentProblems(texts);
    if (kind === "contract") return problems.contract;
    return problems.policy ?? problems.contract;
  }
}
