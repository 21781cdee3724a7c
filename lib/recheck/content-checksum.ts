import type { RoundFigures } from "../../contract/report.ts";
import { isRows } from "../../contract/rows.ts";
import { checksum, type Hasher } from "../reference/canonical-json.ts";

const OBJECTS = ["counts", "totals", "per_tenant"] as const;

/**
 * The checksum of a report's own content (§4), by the reference's canonical form: the engine made the report, and must
 * not vouch for it. Null where the report lacks what the checksum covers, or it has no canonical form.
 */
export function contentChecksum(report: unknown, sha256: () => Hasher): string | null {
  if (typeof report !== "object" || report === null) return null;
  const content = report as Record<string, unknown>;
  if (OBJECTS.some((part) => typeof content[part] !== "object" || content[part] === null)) return null;
  if (!isRows(content.decisions) || !isRows(content.dispatch_order)) return null;
  try {
    return checksum(content as unknown as RoundFigures, sha256());
  } catch (error) {
    // A row that is no object, or nesting beyond any stack: such content has no canonical text of §4, and no checksum.
    if (error instanceof TypeError || error instanceof RangeError) return null;
    throw error;
  }
}
