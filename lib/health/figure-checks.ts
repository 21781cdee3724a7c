import type { Check } from "./check.ts";
import { fieldOf, fieldsOf, isTable } from "./check.ts";

const COUNTS = {
  accepted: ["§3.4", "Requests accepted"],
  queued: ["§3.4", "Requests queued"],
  rejected: ["§3.4", "Requests rejected"],
  reserve_breached: ["§3.4", "Tenants with a breach"],
} as const;

const TOTALS = {
  capacity: ["§3.6", "Capacity of all buckets"],
  used: ["§4", "Tokens used by what was accepted"],
  over_capacity: ["§4", "Tokens used above capacity"],
} as const;

/** A check for each field of `counts` (§4). */
export const countChecks: Check[] = Object.entries(COUNTS).map(([field, [clause, title]]) => ({
  id: `counts.${field}`,
  clause,
  title,
  section: "counts",
  *findings(report, { figures }) {
    yield {
      path: `counts.${field}`,
      reported: fieldOf(report.counts, field),
      expected: figures.counts[field as keyof typeof COUNTS],
    };
  },
}));

/** A check for each field of `totals` (§4). */
export const totalChecks: Check[] = Object.entries(TOTALS).map(([field, [clause, title]]) => ({
  id: `totals.${field}`,
  clause,
  title,
  section: "totals",
  *findings(report, { figures }) {
    yield {
      path: `totals.${field}`,
      reported: fieldOf(report.totals, field),
      expected: figures.totals[field as keyof typeof TOTALS],
    };
  },
}));

const TENANT_FIELDS = {
  tier: ["§1.2", "Tier of each tenant"],
  capacity: ["§1.2", "Capacity of each bucket"],
  opening_tokens: ["§1.2", "Opening balance of each bucket"],
  closing_tokens: ["§3.2", "Closing balance of each bucket"],
  reserve_tokens: ["§1.2", "Reserve of each bucket"],
  reserve_breached: ["§3.4", "Whether each reserve was broken"],
  used: ["§3.2", "Tokens each tenant used"],
  accepted: ["§3.4", "Requests accepted, each tenant"],
  queued: ["§3.4", "Requests queued, each tenant"],
  rejected: ["§3.4", "Requests rejected, each tenant"],
} as const;

export const tenantPath = (tenant: string, field?: string): string =>
  `per_tenant[${JSON.stringify(tenant)}]${field === undefined ? "" : `.${field}`}`;

const bucketCheck: Check = {
  id: "per_tenant.buckets",
  clause: "§3.6",
  title: "Which tenants have a bucket",
  section: "tenants",
  *findings(report, { figures }) {
    const reported = fieldsOf(report.per_tenant);
    const hasTable = isTable(report.per_tenant);
    yield { path: "per_tenant", reported: hasTable ? "a table" : undefined, expected: "a table" };
    for (const subject of Object.keys(figures.per_tenant)) {
      const isThere = Object.hasOwn(reported, subject);
      yield {
        path: tenantPath(subject),
        subject,
        reported: isThere ? "bucket" : hasTable ? "no bucket" : undefined,
        expected: "bucket",
      };
    }
    for (const subject of Object.keys(reported))
      if (!Object.hasOwn(figures.per_tenant, subject))
        yield { path: tenantPath(subject), subject, reported: "bucket", expected: "no bucket" };
  },
};

/** Which buckets there are, and a check for each field of them (§4). */
export const tenantChecks: Check[] = [
  bucketCheck,
  ...Object.entries(TENANT_FIELDS).map(
    ([field, [clause, title]]): Check => ({
      id: `per_tenant.${field}`,
      clause,
      title,
      section: "tenants",
      *findings(report, { figures }) {
        for (const [subject, expected] of Object.entries(figures.per_tenant))
          yield {
            path: tenantPath(subject, field),
            subject,
            reported: fieldOf(fieldOf(report.per_tenant, subject), field),
            expected: expected[field as keyof typeof TENANT_FIELDS],
          };
      },
    }),
  ),
];
