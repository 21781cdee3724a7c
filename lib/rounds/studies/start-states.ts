import type { SideDecision } from "../../../contract/comparison.ts";
import {
  OPENINGS,
  type StartStateRow,
  type StartStates,
  type StartStateTenant,
} from "../../../contract/start-states.ts";
import type { StudyProgress } from "../../../contract/study.ts";
import { decideRound, type RoundOutcome } from "../../engine/decide-round.ts";
import { openedAs } from "../../engine/opening.ts";
import { roundFigures } from "../../engine/round-figures.ts";
import { reasonOf, verdictOf, waitOrNull } from "../../engine/verdict.ts";
import { checksumOf } from "../../engine/write-report.ts";
import { readColumns } from "../../ingest/canonical-stream.ts";
import { recompute } from "../../reference/recompute.ts";
import { readInputFile } from "../../store/read-file.ts";
import { documentsUnavailable, streamRefused } from "../round-problem.ts";
import { loadDocuments } from "../run/documents.ts";
import { nodeSha256 } from "../sha256.ts";
import type { StudyInputs } from "./study-message.ts";

/** The same round three times: groups and their order are the same in all, since neither looks at a balance. */
interface Outcomes {
  stated: RoundOutcome;
  full: RoundOutcome;
  empty: RoundOutcome;
}

const STATES = ["stated", ...OPENINGS] as const;

export type StartStateResult =
  | { ok: true; result: StartStates; rows: StartStateRow[]; tenants: StartStateTenant[] }
  | { ok: false; message: string };

function decisionOf({ decisions }: RoundOutcome, group: number): SideDecision {
  const step = decisions.step[group]!;
  return {
    verdict: verdictOf(step),
    reason: reasonOf(step),
    wait_ms: waitOrNull(decisions.wait_ms[group]!),
    reserve_breached: decisions.breached[group] === 1,
  };
}

const isSame = (a: RoundOutcome, b: RoundOutcome, group: number): boolean =>
  a.decisions.step[group] === b.decisions.step[group] &&
  Object.is(a.decisions.wait_ms[group], b.decisions.wait_ms[group]) &&
  a.decisions.breached[group] === b.decisions.breached[group];

/** Groups that are decided otherwise from one of the starts: 1 where only details differ, 2 where the verdict does. */
function dependingGroups({ stated, full, empty }: Outcomes): Uint8Array {
  const { count } = stated.groups;
  const found = new Uint8Array(count);
  for (let group = 0; group < count; group++) {
    if (isSame(stated, full, group) && isSame(stated, empty, group)) continue;
    const [first, ...others] = [stated, full, empty].map(({ decisions }) =>
      verdictOf(decisions.step[group]!),
    );
    found[group] = others.every((verdict) => verdict === first) ? 1 : 2;
  }
  return found;
}

function* rowsOf(outcomes: Outcomes, depends: Uint8Array): Generator<StartStateRow> {
  const { columns, order, groups } = outcomes.stated;
  for (let place = 0; place < order.length; place++) {
    const group = groups.ofDispatched[place]!;
    if (depends[group] === 0) continue;
    const request = order[place]!;
    yield {
      position: place,
      req_id: columns.reqId.at(request),
      tenant: columns.tenantNames[columns.tenant[request]!]!,
      arrival_ms: columns.arrivalMs[request]!,
      stated: decisionOf(outcomes.stated, group),
      full: decisionOf(outcomes.full, group),
      empty: decisionOf(outcomes.empty, group),
    };
  }
}

function tenantsOf({ stated: { buckets, groups } }: Outcomes, depends: Uint8Array): StartStateTenant[] {
  const tenants = buckets.names.map(
    (tenant): StartStateTenant => ({ tenant, requests: 0, depends: 0, flips: 0, last_ms: null }),
  );
  for (let group = 0; group < groups.count; group++) {
    const tenant = tenants[groups.bucket[group]!]!;
    const members = groups.members[group]!;
    tenant.requests += members;
    if (depends[group] === 0) continue;
    tenant.depends += members;
    if (depends[group] === 2) tenant.flips += members;
    tenant.last_ms = Math.max(tenant.last_ms ?? 0, groups.time_ms[group]!);
  }
  return tenants;
}

/**
 * Decides a round from full and from empty buckets beside what its policy states, and marks every decision that is not
 * the same in all three. The reference decides both on its own. Faults play no part.
 */
export async function findStartStates(
  inputs: StudyInputs,
  onProgress: (progress: StudyProgress) => void = () => {},
): Promise<StartStateResult> {
  const total = 4;
  onProgress({ phase: "Read the stream", done: 0, total });
  const documents = await loadDocuments(inputs);
  if (!documents.ok) return { ok: false, message: documentsUnavailable(documents.problems).message };
  const { contract, policy } = documents.value;
  const stream = await readColumns(readInputFile(inputs.input));
  if (inputs.reading === "strict" && stream.problemCount > 0)
    return { ok: false, message: streamRefused(inputs.input, stream.problems, stream.problemCount).message };
  onProgress({ phase: "Decide from full and from empty", done: 1, total });
  const outcomes: Outcomes = {
    stated: decideRound(contract, policy, stream.columns),
    full: decideRound(contract, openedAs(policy, "full"), stream.columns),
    empty: decideRound(contract, openedAs(policy, "empty"), stream.columns),
  };
  const agreed = { full: false, empty: false };
  for (const [at, opening] of OPENINGS.entries()) {
    onProgress({ phase: `Recompute from ${opening} by the reference`, done: 2 + at, total });
    const found = await recompute({
      contract,
      policy,
      opening,
      stream: readInputFile(inputs.input),
      reading: inputs.reading,
      sha256: nodeSha256,
    });
    agreed[opening] =
      found.ok && found.checksum === checksumOf(outcomes[opening], roundFigures(outcomes[opening]));
  }
  const depends = dependingGroups(outcomes);
  const rows = [...rowsOf(outcomes, depends)];
  const tenants = tenantsOf(outcomes, depends);
  const counts = Object.fromEntries(
    STATES.map((state) => [state, roundFigures(outcomes[state]).counts]),
  ) as StartStates["counts"];
  return {
    ok: true,
    rows,
    tenants: tenants.filter((tenant) => tenant.depends > 0),
    result: {
      requests: outcomes.stated.order.length,
      depends: rows.length,
      flips: tenants.reduce((sum, { flips }) => sum + flips, 0),
      tenants: tenants.length,
      tenants_that_depend: tenants.filter((tenant) => tenant.depends > 0).length,
      counts,
      agreed,
      skipped: stream.problemCount,
    },
  };
}
