import type { ChangeRow, Comparison, DocumentComparison, SideDecision } from "../../contract/comparison.ts";
import { compareRounds } from "../rounds/studies/compare-rounds.ts";
import { comparedSide } from "../rounds/studies/compared-side.ts";
import { countText } from "./count-text.ts";
import { tellPeople } from "./tell.ts";

/** Requests that are printed for people; all are counted. */
const PRINTED = 20;

const DIFFERENT = 2;
const UNJUDGED = 3;

/** One line, whatever a name holds. */
const oneLine = (text: string): string => text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ");

const told = (side: SideDecision | null): string => {
  if (side === null) return "nothing";
  const reason = side.reason === null ? "" : ` (${side.reason})`;
  const wait = side.wait_ms === null || side.wait_ms === 0 ? "" : `, ${side.wait_ms} ms`;
  return `${side.verdict}${reason}${wait}${side.reserve_breached ? ", reserve breached" : ""}`;
};

function documentLines(what: string, found: DocumentComparison): string[] {
  if (!found.known) return [`${what}: not compared, ${found.why}`];
  const lines = found.changes.map(
    ({ path, a, b }) => `${what}: ${path}: A ${a ?? "nothing"}, B ${b ?? "nothing"}`,
  );
  return found.more === 0 ? lines : [...lines, `${what}: … and ${found.more} more`];
}

/** What differs, in lines: what was decided from first, then the first requests. */
function lines(comparison: Comparison, first: ChangeRow[]): string[] {
  const { contract, policy, stream, counts, totals, flips, details, only_a, only_b } = comparison;
  const more = flips + details + only_a + only_b - first.length;
  const figures = [
    ...(["accepted", "queued", "rejected", "reserve_breached"] as const).map(
      (field) => [field, counts.a[field], counts.b[field]] as const,
    ),
    ["used", totals.a.used, totals.b.used] as const,
  ];
  return [
    ...documentLines("contract", contract),
    ...documentLines("policy", policy),
    ...(stream.a === stream.b ? [] : [`stream: A ${stream.a ?? "not known"}, B ${stream.b ?? "not known"}`]),
    ...figures.filter(([, a, b]) => a !== b).map(([field, a, b]) => `${field}: A ${a}, B ${b}`),
    ...first.map(({ req_id, tenant, a, b }) => `${req_id} of ${tenant}: A ${told(a)}, B ${told(b)}`),
    ...(more > 0 ? [`… and ${countText(more, "more request")}`] : []),
  ].map(oneLine);
}

/**
 * `compare A B`: two reports, bundles or folders of rounds. 0 where they are the same, 2 where they differ, 3 where one of
 * them cannot be read. With `maxFlips` 0 also where no more requests than that have another verdict, or none on one side.
 */
export async function compareVerb(a: string, b: string, options: { maxFlips?: number }): Promise<number> {
  const [sideA, sideB] = [await comparedSide(a), await comparedSide(b)];
  for (const side of [sideA, sideB]) if (!side.ok) tellPeople(side.message);
  if (!sideA.ok || !sideB.ok) return UNJUDGED;
  const first: ChangeRow[] = [];
  const { comparison } = compareRounds(sideA.side, sideB.side, (change) => {
    if (first.length < PRINTED) first.push(change);
  });
  const { same, flips, details, only_a, only_b, counts, totals, requests } = comparison;
  console.log(JSON.stringify({ same, flips, details, only_a, only_b, requests, counts, totals }));
  for (const line of lines(comparison, first)) tellPeople(line);
  if (same) return 0;
  const isWithin = options.maxFlips !== undefined && flips + only_a + only_b <= options.maxFlips;
  return isWithin ? 0 : DIFFERENT;
}
