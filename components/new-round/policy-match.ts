/** Of the tenants of previewed requests, how many requests are of one that a policy names; null where it cannot be told. */
export interface PolicyMatch {
  requests: number;
  named: number;
}

/** The template of every tenant that is not listed (§1.2). */
const TEMPLATE = "*";

/** The names that a policy's text holds; null where it is none, or serves everybody by its template. */
function namedTenants(policy: string): Set<unknown> | null {
  let value: unknown;
  try {
    value = JSON.parse(policy);
  } catch {
    return null;
  }
  const { tenants, denylist } = Object(value) as { tenants?: unknown; denylist?: unknown };
  if (!Array.isArray(tenants)) return null;
  const names = new Set<unknown>(tenants.map((entry: unknown) => Object(entry).tenant));
  if (names.has(TEMPLATE)) return null;
  for (const name of Array.isArray(denylist) ? denylist : []) names.add(name);
  return names;
}

/**
 * Holds the tenants of the first requests against a policy's text.
 * @param tenants one a request
 */
export function matchPolicy(tenants: readonly string[], policy: string): PolicyMatch | null {
  const names = namedTenants(policy);
  if (names === null || tenants.length === 0) return null;
  return { requests: tenants.length, named: tenants.filter((tenant) => names.has(tenant)).length };
}

/** The tenants of the lines of a canonical stream that can be read here; of others the server says what is wrong. */
export function tenantsOfLines(lines: readonly string[]): string[] {
  return lines.flatMap((line) => {
    try {
      const tenant: unknown = Object(JSON.parse(line)).tenant;
      return typeof tenant === "string" ? [tenant] : [];
    } catch {
      return [];
    }
  });
}
