/** What a group tells, by importance: that it broke a reserve, that it was refused, or neither. */
export type GroupKind = "breach" | "refusal" | "other";
const KINDS = ["breach", "refusal", "other"] as const;

/** How many of each kind are kept: each at least a quarter of the room, and what is over goes to the more telling. */
function budgets(counts: number[], room: number): number[] {
  const kept = counts.map((count) => Math.min(count, Math.floor(room / 4)));
  let left = room - kept.reduce((sum, count) => sum + count, 0);
  return kept.map((count, kind) => {
    const more = Math.min(left, counts[kind]! - count);
    left -= more;
    return count + more;
  });
}

/**
 * Which of a tenant's groups are drawn where all would be too many: at most `points` (5 or more), evenly spaced within
 * each kind, breaches before refusals before others, and the last of all, where the line ends. Keeps their order.
 */
export function thinGroups<Group extends { kind: GroupKind }>(groups: Group[], points: number): Group[] {
  if (groups.length <= points) return groups;
  const counts = KINDS.map((kind) => groups.filter((group) => group.kind === kind).length);
  const steps = budgets(counts, Math.max(points, 5) - 1).map((budget, kind) =>
    Math.ceil(counts[kind]! / budget),
  );
  const seen = [0, 0, 0];
  return groups.filter(({ kind }, at) => {
    const k = KINDS.indexOf(kind);
    const place = seen[k]!++;
    return place % steps[k]! === 0 || at === groups.length - 1;
  });
}
