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
 * Which of a tenant's `count` groups are drawn where all would be too many: at most `points` (5 or more), evenly spaced
 * within each kind, breaches before refusals before others, and the last of all, where the line ends. Places, in order.
 */
export function thinGroups(count: number, kindOf: (at: number) => GroupKind, points: number): number[] {
  if (count <= points) return Array.from({ length: count }, (_, at) => at);
  const counts = [0, 0, 0];
  for (let at = 0; at < count; at++) counts[KINDS.indexOf(kindOf(at))]! += 1;
  const steps = budgets(counts, Math.max(points, 5) - 1).map((budget, kind) =>
    Math.ceil(counts[kind]! / budget),
  );
  const seen = [0, 0, 0];
  const kept: number[] = [];
  for (let at = 0; at < count; at++) {
    const kind = KINDS.indexOf(kindOf(at));
    const place = seen[kind]!++;
    if (place % steps[kind]! === 0 || at === count - 1) kept.push(at);
  }
  return kept;
}
