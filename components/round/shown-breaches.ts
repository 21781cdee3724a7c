import type { GroupView } from "../../contract/round-view.ts";

type Broken = Pick<GroupView, "source" | "tenant" | "time_ms">;

/**
 * The first groups that broke a reserve, at most so many, and whether both sides found that of each.
 * @param found in the order of time, tenant and side, with one more than are shown: it may be the other side of the last
 */
export const shownBreaches = <Group extends Broken>(
  found: readonly Group[],
  most: number,
): { group: Group; isAgreed: boolean }[] =>
  found.slice(0, most).map((group) => ({
    group,
    isAgreed: found.some(
      (other) =>
        other.source !== group.source && other.tenant === group.tenant && other.time_ms === group.time_ms,
    ),
  }));
