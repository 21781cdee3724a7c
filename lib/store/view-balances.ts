import type { BalancePoint } from "../../contract/round-view.ts";
import { VERDICTS } from "../../contract/verdicts.ts";
import { type GroupKind, thinGroups } from "./thin-groups.ts";
import { SOURCES } from "./view-format.ts";
import { marks, type Selection, type ViewSelections } from "./view-selection.ts";

/** A balance over time: what is drawn of it, and how many groups are not. */
export interface ThinnedBalance {
  points: BalancePoint[];
  folded: number;
}

/** A step (§3.4) and whether it is marked as a breach, as one number. */
const TOLD = "(2 * step + reserve_breached)::INTEGER";
const DRAWN = ["time_ms", "signed_balance", "signed_after", "verdict", "reserve_breached"] as const;

/** What a group tells, by its step: 2 borrows, marked or not; 3, 4 and 6 refuse. */
function kindOf(told: number): GroupKind {
  const step = told >> 1;
  if ((told & 1) === 1 || step === 2) return "breach";
  return step === 1 || step === 5 ? "other" : "refusal";
}

/** Which rows are drawn of groups that stand tenant by tenant, and of which tenant each is. */
function chosen(
  owners: Int32Array,
  told: Int32Array,
  points: number,
): { rows: number[]; counts: Map<number, number> } {
  const rows: number[] = [];
  const counts = new Map<number, number>();
  for (let start = 0, end = 0; start < owners.length; start = end) {
    while (end < owners.length && owners[end] === owners[start]) end++;
    counts.set(owners[start]!, end - start);
    for (const at of thinGroups(end - start, (at) => kindOf(told[start + at]!), points))
      rows.push(start + at);
  }
  return { rows, counts };
}

/**
 * The balances of some tenants as one side found them, each thinned to `points` groups; of those that have groups. Two
 * scans for all of them: which groups are drawn is known first, and then no more than those is kept.
 * @param tenants numbers
 */
export async function readBalances(
  selections: ViewSelections,
  file: string,
  tenants: readonly number[],
  source: (typeof SOURCES)[number],
  points: number,
): Promise<Map<number, ThinnedBalance>> {
  const balances = new Map<number, ThinnedBalance>();
  if (tenants.length === 0) return balances;
  const selection: Selection = {
    file,
    conditions: [
      [`tenant IN (${marks(tenants)})`, ...tenants],
      ["source = ?", SOURCES.indexOf(source)],
    ],
    order: "tenant, position",
  };
  const [owners, told] = (await selections.wholeNumbers(selection, ["tenant", TOLD])) as [
    Int32Array,
    Int32Array,
  ];
  const { rows, counts } = chosen(owners, told, points);
  for (const [tenant, count] of counts) balances.set(tenant, { points: [], folded: count });
  let next = 0;
  let before = 0;
  for await (const { length, columns } of selections.numbers(selection, DRAWN, owners.length)) {
    const [time_ms, signed_balance, signed_after, verdict, breached] = columns as [
      Float64Array,
      Float64Array,
      Float64Array,
      Uint8Array,
      Uint8Array,
    ];
    for (; next < rows.length && rows[next]! < before + length; next++) {
      const at = rows[next]! - before;
      const balance = balances.get(owners[rows[next]!]!)!;
      balance.folded -= 1;
      balance.points.push({
        time_ms: time_ms[at]!,
        signed_balance: signed_balance[at]!,
        signed_after: signed_after[at]!,
        verdict: VERDICTS[verdict[at]!]!,
        reserve_breached: breached[at] === 1,
      });
    }
    before += length;
  }
  return balances;
}
