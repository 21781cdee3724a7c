import type { RoundInputs, RoundListItem, RoundProblem, RoundSummary } from "../../../contract/round-view.ts";
import { type RoundSeal, type SealFinding, sealOf } from "../../../contract/seal.ts";
import { readDocument } from "../../ingest/document.ts";
import type { NameMask } from "./name-mask.ts";

/** What a reader may see of a round: all of it, or what a link gives. */
export interface RoundAccess {
  /** Whether the stream itself may be read, and whatever holds it. */
  raw: boolean;
  /** Key of the link's masks; null where names are shown as they are. */
  mask_key: string | null;
}

/** What whoever reaches the server without a link sees. */
export const FULL_ACCESS: RoundAccess = { raw: true, mask_key: null };

/** A round as a link shows it. */
export interface SharedRound {
  round: RoundListItem;
  access: RoundAccess;
}

const WITHHELD = "withheld: names are masked";
/** Fields of a request (§1.3): the only ones of a bad line that nobody made up. */
const REQUEST_FIELDS: ReadonlySet<string> = new Set(["req_id", "tenant", "arrival_ms", "cost", "mode", ""]);

/** A stamp of the log tells when somebody was there: it goes with the texts. */
function maskProblem({ spread: _, ...problem }: RoundProblem): RoundProblem {
  return { ...problem, message: WITHHELD, documents: [], lines: [] };
}

function maskSummary(summary: RoundSummary): RoundSummary {
  const { message, ...probe } = summary.probe;
  return {
    ...summary,
    // Digests of what holds names: guessed names could be confirmed by them.
    checksum: null,
    reference_checksum: null,
    skipped: {
      ...summary.skipped,
      lines: summary.skipped.lines.map(({ line, field }) => ({
        line,
        field: REQUEST_FIELDS.has(field) ? field : WITHHELD,
        reason: WITHHELD,
      })),
    },
    probe: message === undefined ? probe : { ...probe, message: WITHHELD },
    acceptance: summary.acceptance.map((criterion) =>
      criterion.detail === "" ? criterion : { ...criterion, detail: WITHHELD },
    ),
  };
}

/** A round without the texts in which its files, its name or a finding could name somebody. */
export function maskRound(round: RoundListItem): RoundListItem {
  return {
    ...round,
    name: "A round with masked names",
    stream_name: "stream.jsonl",
    // As a stamp in a problem: it tells when somebody was there.
    log_start_at_ms: null,
    audit: round.audit === null ? null : { ...round.audit, report_name: "report.json" },
    problem: round.problem === null ? null : maskProblem(round.problem),
    summary: round.summary === null ? null : maskSummary(round.summary),
    view_problem: round.view_problem === null ? null : WITHHELD,
    view_lost: maskFindings(round.view_lost),
  };
}

/** Findings of stored files without the digests of what holds names: guessed names could be confirmed by them. */
export const maskFindings = (findings: readonly SealFinding[]): SealFinding[] =>
  findings.map((finding) =>
    finding.kind === "disagree" || finding.what === "contract"
      ? finding
      : { ...finding, expected: null, found: null },
  );

/** What a round's files were found to be, as an access shows it. */
export const sealWithin = (seal: RoundSeal, { mask_key }: RoundAccess): RoundSeal =>
  mask_key === null ? seal : sealOf(maskFindings(seal.findings));

interface PolicyText {
  tenants: Record<string, unknown>[];
  denylist: string[];
}

/** JSON of a document's value; numbers keep their texts. */
function printDocument(value: unknown, indent = ""): string {
  const inner = `${indent}  `;
  const lines = (parts: string[], [open, close]: [string, string]) =>
    parts.length === 0
      ? open + close
      : `${open}\n${parts.map((part) => inner + part).join(",\n")}\n${indent}${close}`;
  if (Array.isArray(value))
    return lines(
      value.map((item) => printDocument(item, inner)),
      ["[", "]"],
    );
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  if ("text" in value && Object.getPrototypeOf(value) !== null) return String(value.text);
  return lines(
    Object.entries(value).map(([key, item]) => `${JSON.stringify(key)}: ${printDocument(item, inner)}`),
    ["{", "}"],
  );
}

/** A sound policy's text with its tenants masked; the template stays what it is (§1.2). */
function maskPolicy(text: string, mask: NameMask): string {
  const read = readDocument(text, "policy");
  if (!read.ok) return WITHHELD;
  const policy = read.value.value as PolicyText;
  const masked = (name: unknown) => (name === "*" ? name : mask.tenant(String(name)));
  return printDocument({
    ...policy,
    tenants: policy.tenants.map((tenant) => ({ ...tenant, tenant: masked(tenant.tenant) })),
    denylist: policy.denylist.map(masked),
  });
}

/** Inputs with the names of files and tenants masked, and without the digests of what holds them. */
export function maskInputs(inputs: RoundInputs, mask: NameMask): RoundInputs {
  return {
    ...inputs,
    contract: { ...inputs.contract, name: "contract.json" },
    policy: {
      name: "policy.json",
      sha256: null,
      text: inputs.policy.text === null ? null : maskPolicy(inputs.policy.text, mask),
    },
    stream: { ...inputs.stream, name: "stream.jsonl", sha256: null },
    report: inputs.report === null ? null : { sha256: null },
    // A mapping's expressions and the problems' lines name whom they like.
    import: null,
  };
}

/** Files of a round that may be taken away with an access: with masked names only the contract, which names nobody. */
export function filesWithin({
  raw,
  mask_key,
}: RoundAccess): readonly ("contract" | "policy" | "stream" | "report")[] {
  if (mask_key !== null) return ["contract"];
  return raw ? ["contract", "policy", "stream", "report"] : ["contract", "policy", "report"];
}
