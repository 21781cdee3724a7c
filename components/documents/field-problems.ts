import type { InputProblem } from "../../contract/input.ts";

/** Problems beside the fields of a form, by their paths there, and those that belong to no field. */
export interface PlacedProblems {
  fields: Record<string, string>;
  others: InputProblem[];
}

/** Which field of the form shows a problem at a path such as `tenants[2].rate_per_sec`; null for none. */
function fieldOf(path: string): string | null {
  const row = /^(tenants|tiers)\[(\d+)\]\.([a-z_]+)$/.exec(path);
  if (row !== null) return `${row[1]}.${row[2]}.${row[3] === "rate_per_sec" ? "rate" : row[3]}`;
  if (/^denylist(\[\d+\])?$/.test(path)) return "denylist";
  return /^[a-z_]+$/.test(path) && path !== "tenants" && path !== "tiers" ? path : null;
}

/** Puts each problem beside its field, where the form has one. */
export function placeProblems(
  problems: readonly InputProblem[],
  hasField: (field: string) => boolean,
): PlacedProblems {
  const fields: Record<string, string> = Object.create(null);
  const others: InputProblem[] = [];
  for (const problem of problems) {
    const field = fieldOf(problem.path);
    const place = /^denylist\[(\d+)\]$/.exec(problem.path)?.[1];
    const message = place === undefined ? problem.message : `name ${Number(place) + 1} ${problem.message}`;
    if (field === null || !hasField(field)) others.push(problem);
    else fields[field] = field in fields ? `${fields[field]}; ${message}` : message;
  }
  return { fields, others };
}
