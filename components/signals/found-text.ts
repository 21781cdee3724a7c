import type { HealthClaim } from "../../contract/bundle.ts";
import { counted } from "../format/format.ts";

type Found = Pick<HealthClaim, "mismatches" | "indeterminate">;

/** What a recomputation found: what differs, and apart from it what could not be compared, which is no difference. */
export function foundText({ mismatches, indeterminate }: Found): string {
  const differences = counted(mismatches, "difference");
  return indeterminate === 0
    ? differences
    : `${counted(indeterminate, "place")} that could not be compared and ${differences}`;
}
