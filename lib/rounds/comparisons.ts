import { readFile } from "node:fs/promises";
import type { ChangeRow, Comparison, TenantChange } from "../../contract/comparison.ts";
import type { Page, RoundListItem } from "../../contract/round-view.ts";
import type { StudyItem } from "../../contract/study.ts";
import { type ChangeQuery, ComparisonRows, type TenantChangeQuery } from "../store/comparison-rows.ts";
import type { Store } from "../store/open-store.ts";
import type { RoundRow } from "../store/schema.ts";
import type { RoundsService } from "./service.ts";
import type { Studies } from "./studies.ts";
import type { StudyQuestion } from "./study-message.ts";
import type { SubmitResult } from "./submission.ts";

/** The artifacts of one side, by digest. */
interface SideDigests {
  contract: string;
  policy: string;
  stream: string;
  report: string;
}

export interface ComparisonInputs {
  a: SideDigests;
  b: SideDigests;
}

/** Two rounds beside each other; `study` is null while one of them has no report. */
export interface Beside {
  a: RoundListItem;
  b: RoundListItem;
  study: StudyItem<Comparison> | null;
}

/** Files of rows kept open. */
const OPEN_ROWS = 8;

const digestsOf = (row: RoundRow): SideDigests | null =>
  row.report_sha256 === null
    ? null
    : {
        contract: row.contract_sha256,
        policy: row.policy_sha256,
        stream: row.stream_sha256,
        report: row.report_sha256,
      };

/** The use cases of comparing two rounds. */
export class Comparisons {
  private readonly store: Store;
  private readonly rounds: RoundsService;
  private readonly studies: Studies;
  private readonly open = new Map<string, ComparisonRows>();

  constructor(store: Store, rounds: RoundsService, studies: Studies) {
    this.store = store;
    this.rounds = rounds;
    this.studies = studies;
  }

  /** Two rounds beside each other: compared once, found again at every other time. Null where one is not there. */
  async beside(idA: string, idB: string): Promise<Beside | null> {
    const [rowA, rowB] = [await this.store.rounds.get(idA), await this.store.rounds.get(idB)];
    const [a, b] = [await this.rounds.round(idA), await this.rounds.round(idB)];
    if (rowA === null || rowB === null || a === null || b === null) return null;
    const [digestsA, digestsB] = [digestsOf(rowA), digestsOf(rowB)];
    if (digestsA === null || digestsB === null) return { a, b, study: null };
    const inputs: ComparisonInputs = { a: digestsA, b: digestsB };
    const id = await this.studies.start({
      kind: "comparison",
      name: `${rowA.name} beside ${rowB.name}`,
      question: JSON.stringify(inputs),
      inputs,
      artifacts: [...Object.values(digestsA), ...Object.values(digestsB)],
    });
    const study = await this.studies.get<ComparisonInputs, Comparison>("comparison", id);
    return { a, b, study: study?.item ?? null };
  }

  /** Runs a round's stream again under another policy: the other side of a comparison. */
  async underPolicy(id: string, policy: { name: string; text: string }): Promise<SubmitResult> {
    const row = await this.store.rounds.get(id);
    if (row === null)
      return { ok: false, problems: [{ file: "round", path: "", message: "is not there; choose another" }] };
    const contract = await readFile(this.store.artifacts.path(row.contract_sha256), "utf8");
    return this.rounds.submit({
      name: `${row.name}, under ${policy.name}`,
      reading: row.reading === "lenient" ? "lenient" : "strict",
      faults: [],
      contract: { name: row.contract_name, text: contract },
      policy,
      stream: { kind: "stored", name: row.stream_name, sha256: row.stream_sha256, bytes: row.stream_bytes },
    });
  }

  /** A window of the requests that differ; null where there is no such comparison (yet). */
  async changes(id: string, query: ChangeQuery): Promise<Page<ChangeRow> | null> {
    return (await this.rows(id))?.changes(query) ?? null;
  }

  /** A window of the tenants that differ. */
  async tenants(id: string, query: TenantChangeQuery): Promise<Page<TenantChange> | null> {
    return (await this.rows(id))?.tenants(query) ?? null;
  }

  private async rows(id: string): Promise<ComparisonRows | null> {
    const path = (await this.studies.get("comparison", id))?.rows ?? null;
    if (path === null) return null;
    const rows = this.open.get(path) ?? new ComparisonRows(path);
    this.open.delete(path);
    this.open.set(path, rows);
    if (this.open.size > OPEN_ROWS) {
      const [oldest, closing] = this.open.entries().next().value!;
      this.open.delete(oldest);
      closing.close();
    }
    return rows;
  }
}

/** A comparison's stored inputs as what its process is asked. */
export function askComparison({ artifacts }: Store, { a, b }: ComparisonInputs): StudyQuestion {
  const files = ({ contract, policy, stream, report }: SideDigests) => ({
    contract: artifacts.path(contract),
    policy: artifacts.path(policy),
    report: artifacts.path(report),
    stream_sha256: stream,
  });
  return { kind: "comparison", a: files(a), b: files(b) };
}
