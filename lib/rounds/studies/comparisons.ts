import type { ChangeRow, Comparison, TenantChange } from "../../../contract/comparison.ts";
import type { Page, RoundListItem } from "../../../contract/round-view.ts";
import type { StudyItem } from "../../../contract/study.ts";
import { type ChangeQuery, ComparisonRows, type TenantChangeQuery } from "../../store/comparison-rows.ts";
import type { Store } from "../../store/open-store.ts";
import type { RoundRow } from "../../store/schema.ts";
import { keptText, type NamedFile, telling } from "../file-seals.ts";
import { demandEntries } from "../round-seals.ts";
import type { RoundsService } from "../service.ts";
import { logToImport } from "../sharing/round-import.ts";
import type { SubmitResult } from "../submission.ts";
import type { Studies } from "./studies.ts";
import type { AskedStudy } from "./study-work.ts";

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

/** Two rounds beside each other, and how far it is with comparing them. */
export interface Beside {
  a: RoundListItem;
  b: RoundListItem;
  /** Null where nobody has asked for it, or a round has no report. */
  study: StudyItem<Comparison> | null;
  /** Asked for, and begun as soon as both rounds have ended. */
  isAwaited: boolean;
  /** Whether A and B were decided from the same files; null where one has no report. */
  same: { contract: boolean; policy: boolean; stream: boolean } | null;
}

const UNDECIDED = new Set(["waiting", "running"]);

/** Files of rows kept open. */
const OPEN_ROWS = 8;

const pairOf = (a: string, b: string): string => JSON.stringify([a, b]);

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
  /** Pairs that were asked for while a round of them was not decided yet. Not kept: after a restart they are asked for anew. */
  private readonly awaited = new Map<string, [a: string, b: string]>();

  constructor(store: Store, rounds: RoundsService, studies: Studies) {
    this.store = store;
    this.rounds = rounds;
    this.studies = studies;
    rounds.onEnded((id) => void this.beginAwaitedOf(id).catch(console.error));
  }

  /** Two rounds beside each other, as far as they were compared: looking starts nothing. Null where one is not there. */
  async beside(idA: string, idB: string): Promise<Beside | null> {
    const pair = await this.pair(idA, idB);
    const [a, b] = [await this.rounds.round(idA), await this.rounds.round(idB)];
    if (pair === null || a === null || b === null) return null;
    const { inputs } = pair;
    const known =
      inputs === null
        ? null
        : await this.studies.latest<ComparisonInputs, Comparison>("comparison", JSON.stringify(inputs));
    return {
      a,
      b,
      study: known?.item ?? null,
      isAwaited: this.awaited.has(pairOf(idA, idB)),
      same: inputs && {
        contract: inputs.a.contract === inputs.b.contract,
        policy: inputs.a.policy === inputs.b.policy,
        stream: inputs.a.stream === inputs.b.stream,
      },
    };
  }

  /**
   * Compares two rounds, once: at once, or as soon as both are decided. False where one is not there, or has no report;
   * NotAsJudged where one is not what was judged.
   */
  async start(a: string, b: string): Promise<boolean> {
    // Awaited before it is looked whether both are decided: a round may end meanwhile.
    this.awaited.set(pairOf(a, b), [a, b]);
    return (await this.beginOrAwait(a, b)) !== "never";
  }

  /** Runs a round's stream again under another policy, and compares the two once that is decided. */
  async underPolicy(id: string, policy: { name: string; text: string }): Promise<SubmitResult> {
    const row = await this.store.rounds.get(id);
    if (row === null)
      return { ok: false, problems: [{ file: "round", path: "", message: "is not there; choose another" }] };
    const submitted = await telling(row.name, async () =>
      this.rounds.submit({
        name: `${row.name}, under ${policy.name}`,
        reading: row.reading === "lenient" ? "lenient" : "strict",
        faults: [],
        contract: {
          name: row.contract_name,
          text: await keptText(this.store, ["contract", row.contract_sha256]),
        },
        policy,
        stream: { kind: "stored", name: row.stream_name, sha256: row.stream_sha256, bytes: row.stream_bytes },
        mapping: JSON.parse(logToImport(this.store, row)?.mapping ?? "null"),
      }),
    );
    if (submitted.ok) await this.start(id, submitted.id);
    return submitted;
  }

  /** A window of the requests that differ; null where there is no such comparison (yet). */
  async changes(id: string, query: ChangeQuery): Promise<Page<ChangeRow> | null> {
    return (await this.rows(id))?.changes(query) ?? null;
  }

  /** A window of the tenants that differ. */
  async tenants(id: string, query: TenantChangeQuery): Promise<Page<TenantChange> | null> {
    return (await this.rows(id))?.tenants(query) ?? null;
  }

  /** Two rounds as stored, with what a comparison of them is made from; `inputs` is null while one has no report. */
  private async pair(idA: string, idB: string) {
    const [a, b] = [await this.store.rounds.get(idA), await this.store.rounds.get(idB)];
    if (a === null || b === null) return null;
    const [digestsA, digestsB] = [digestsOf(a), digestsOf(b)];
    const inputs: ComparisonInputs | null =
      digestsA === null || digestsB === null ? null : { a: digestsA, b: digestsB };
    return { rows: [a, b] as const, inputs };
  }

  private async beginOrAwait(a: string, b: string): Promise<"begun" | "awaited" | "never"> {
    const outcome = await this.begin(a, b).catch((error: unknown) => {
      this.awaited.delete(pairOf(a, b));
      throw error;
    });
    if (outcome !== "awaited") this.awaited.delete(pairOf(a, b));
    return outcome;
  }

  private async begin(a: string, b: string): Promise<"begun" | "awaited" | "never"> {
    const pair = await this.pair(a, b);
    if (pair === null) return "never";
    const { rows, inputs } = pair;
    if (inputs === null)
      return rows.every((row) => row.report_sha256 !== null || UNDECIDED.has(row.state))
        ? "awaited"
        : "never";
    demandEntries(rows);
    await this.studies.start({
      kind: "comparison",
      name: `${rows[0].name} beside ${rows[1].name}`,
      question: JSON.stringify(inputs),
      inputs,
      artifacts: [...Object.values(inputs.a), ...Object.values(inputs.b)],
    });
    return "begun";
  }

  private async beginAwaitedOf(id: string): Promise<void> {
    for (const [a, b] of [...this.awaited.values()]) if (id === a || id === b) await this.beginOrAwait(a, b);
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
export function askComparison({ artifacts }: Store, { a, b }: ComparisonInputs): AskedStudy {
  const paths = ({ contract, policy, stream, report }: SideDigests) => ({
    contract: artifacts.path(contract),
    policy: artifacts.path(policy),
    report: artifacts.path(report),
    stream_sha256: stream,
  });
  const files = (side: "A" | "B", digests: SideDigests): NamedFile[] =>
    (["contract", "policy", "report"] as const).map((file) => [`${file} of ${side}`, digests[file]]);
  return {
    question: { kind: "comparison", a: paths(a), b: paths(b) },
    files: [...files("A", a), ...files("B", b)],
  };
}
