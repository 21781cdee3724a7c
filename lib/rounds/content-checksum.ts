import type { RoundFigures } from "../../contract/report.ts";
import { checksumOf } from "../engine/checksum.ts";

const COVERED = ["counts", "totals", "per_tenant", "dispatch_order", "decisions"] as const;

/** The checksum of a report's own content (§4), or null where the report lacks what it covers. */
export function contentChecksum(report: unknown): string | null {
  if (typeof report !== "object" || report === null) return null;
  const content = report as Record<string, unknown>;
  if (COVERED.some((field) => typeof content[field] !== "object" || content[field] === null)) return null;
  if (!Array.isArray(content.decisions) || !Array.isArray(content.dispatch_order)) return null;
  try {
    return checksumOf(content as unknown as RoundFigures);
  } catch {
    // Content that has no canonical form (a lone surrogate, say) has no checksum: indeterminate, never a match.
    return null;
  }
}
