import type { Signal, SignalBoard, SignalClaim, SignalName } from "../../contract/signals.ts";

/** What was found by each signal's own path (§5.5); null where it could not be found. */
export interface SignalFindings {
  /** The report's own `ok`. */
  report: boolean | null;
  /** The status with which the round ended. */
  exit: number | null;
  /** What health claims. */
  health: {
    status: number;
    checks: number;
    mismatches: number;
    indeterminate: number;
    /** Bad lines that were left out: without a difference they alone make a round not clean (§5.4). */
    skipped?: number;
  } | null;
  probe: { result: "ok" | "bad" | "unjudged"; compared: number; mismatches: number } | null;
  acceptance: { passed: number; failed: number; unknown: number } | null;
  /** Differences of the true recomputation; null where it could not be made. */
  true_mismatches: number | null;
}

interface Claim {
  claim: SignalClaim;
  evidence: string;
  grounded: boolean;
}

const NOT_FOUND: Claim = { claim: "unknown", evidence: "not found", grounded: false };

/** Whole numbers with thin spaces between thousands. */
const grouped = (count: number): string => String(count).replace(/\B(?=(\d{3})+(?!\d))/g, "\u2009");
const counted = (count: number, one: string, many = `${one}s`) =>
  `${grouped(count)} ${count === 1 ? one : many}`;
const claimOf = (isWell: boolean): SignalClaim => (isWell ? "well" : "unwell");

const CLAIMS: { [name in SignalName]: (found: SignalFindings) => Claim } = {
  report: ({ report }) =>
    report === null ? NOT_FOUND : { claim: claimOf(report), evidence: `ok: ${report}`, grounded: true },
  exit: ({ exit }) =>
    exit === null ? NOT_FOUND : { claim: claimOf(exit === 0), evidence: `status ${exit}`, grounded: true },
  health: ({ health }) => {
    if (health === null) return NOT_FOUND;
    const { status, checks, mismatches, indeterminate, skipped = 0 } = health;
    const findings = counted(mismatches, "mismatch", "mismatches");
    const left = skipped === 0 ? "" : `, ${counted(skipped, "line")} left out`;
    const unclear = indeterminate === 0 ? "" : `, ${grouped(indeterminate)} indeterminate`;
    return {
      claim: claimOf(status === 0),
      evidence: `${counted(checks, "check")}, ${findings}${unclear}${left}`,
      grounded: checks > 0,
    };
  },
  probe: ({ probe }) => {
    if (probe === null || probe.result === "unjudged") return NOT_FOUND;
    return {
      claim: claimOf(probe.result === "ok"),
      evidence: `${counted(probe.compared, "value")} compared, ${counted(probe.mismatches, "mismatch", "mismatches")}`,
      grounded: probe.compared > 0,
    };
  },
  acceptance: ({ acceptance }) => {
    if (acceptance === null) return NOT_FOUND;
    const { passed, failed, unknown } = acceptance;
    const made = passed + failed + unknown;
    return {
      claim: failed > 0 ? "unwell" : unknown > 0 || made === 0 ? "unknown" : "well",
      evidence: `${grouped(passed)} of ${counted(made, "criterion", "criteria")} hold`,
      grounded: made > 0,
    };
  },
};

/** The five signals beside what is true (§5.5): a signal that says well while there are mismatches lies. */
export function signalBoard(found: SignalFindings): SignalBoard {
  const isFalse = found.true_mismatches !== null && found.true_mismatches > 0;
  const signals = Object.entries(CLAIMS).map(([name, claim]): Signal => {
    const made = claim(found);
    return { name: name as SignalName, ...made, lies: isFalse && made.claim === "well" };
  });
  return {
    signals,
    true_mismatches: found.true_mismatches,
    false_green: signals.some(({ lies }) => lies),
    disagree: new Set(signals.map(({ claim }) => claim)).size > 1,
  };
}
