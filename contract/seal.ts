/** How a stored file is found that is not, or not known to be, the one that was judged. `checking`: not found out yet. */
export type FileFault = "changed" | "missing" | "unreadable" | "checking";

/** What is wrong with what a round rests on. */
export type SealFinding =
  | {
      kind: FileFault;
      /** What the file is: "report", "file of the tenants’ rows". */
      what: string;
      /** SHA-256 of what was judged; null where it is withheld. */
      expected: string | null;
      /** SHA-256 of what is stored now, where it is another one. */
      found: string | null;
    }
  /** A part of the round's row in the database is not what was written when the round ended; `expected` null where that digest is gone. */
  | { kind: "entry"; what: string; expected: string | null; found: string | null }
  /** The verdict in the database and the rows in the view tell of different rounds. */
  | { kind: "disagree"; verdict: string; rows: string };

/** Whether what a finished round rests on is still what was judged. */
export interface RoundSeal {
  /** `checking`: nothing speaks against it yet. Only `kept` lets anything be green. */
  state: "kept" | "checking" | "broken";
  findings: SealFinding[];
}

export const KEPT_SEAL: RoundSeal = { state: "kept", findings: [] };

/** What some findings come to. */
export function sealOf(findings: SealFinding[]): RoundSeal {
  if (findings.length === 0) return KEPT_SEAL;
  return { state: findings.every(({ kind }) => kind === "checking") ? "checking" : "broken", findings };
}

/** Digits of a digest, as far as it is told. */
const shortDigest = (sha256: string | null, digits: number): string =>
  sha256 === null ? "that is withheld" : `${sha256.slice(0, digits)}${digits < sha256.length ? "…" : ""}`;

function entrySentence(
  { what, expected, found }: Extract<SealFinding, { kind: "entry" }>,
  digits: number,
): string {
  const wrong = `the ${what} in the database is not the one that was written when the round ended`;
  if (found === null) return `${wrong}; its SHA-256 is withheld, since names are masked`;
  const was =
    expected === null
      ? "the one that it was written with is gone"
      : `expected ${shortDigest(expected, digits)}`;
  return `${wrong}: its SHA-256 is ${shortDigest(found, digits)}, ${was}`;
}

/**
 * A finding as a sentence. `digits`: how many of a digest's hex digits are told; `was`: what the file was that it should
 * be, where it is not one that was judged.
 */
export function sealSentence(finding: SealFinding, { digits = 64, was = "judged" } = {}): string {
  if (finding.kind === "disagree")
    return `the stored verdict and the stored rows tell of different rounds: ${finding.verdict} in the verdict, ${finding.rows} among the rows`;
  const { kind, what } = finding;
  if (kind === "entry") return entrySentence(finding, digits);
  const short = (sha256: string | null) => shortDigest(sha256, digits);
  if (kind === "checking")
    return `the stored ${what} is being checked; whether it is the one that was ${was} is not known yet`;
  if (kind === "missing")
    return `the stored ${what} is gone; expected a file with SHA-256 ${short(finding.expected)}`;
  if (kind === "unreadable")
    return `the stored ${what} cannot be read; expected a file with SHA-256 ${short(finding.expected)}`;
  if (finding.expected === null)
    return `the stored ${what} is not the one that was ${was}; its SHA-256 is withheld, since names are masked`;
  return `the stored ${what} is not the one that was ${was}: its SHA-256 is ${short(finding.found)}, expected ${short(finding.expected)}`;
}
