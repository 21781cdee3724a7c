"use client";

import { Alert, Anchor, SimpleGrid, Stack, Text, Title } from "@mantine/core";
import { IconUsersMinus } from "@tabler/icons-react";
import Link from "next/link";
import type { Page, RoundSummary, TenantRow } from "../../contract/round-view.ts";
import { ExportLinks } from "../export/export-links.tsx";
import { counted, formatCount } from "../format/format.ts";
import { foundText } from "../signals/found-text.ts";
import { FigureTable } from "./figure-table.tsx";
import { LazyVerdictChart } from "./lazy-charts.tsx";
import { TenantTable } from "./tenant-table.tsx";

/** What happened, in one sentence. */
function verdictSentence({ truth, requests, skipped, reported }: RoundSummary): string {
  const read = `${counted(requests, "request")} ${reported === undefined ? "decided" : "recomputed"}`;
  const left = skipped.count === 0 ? "" : `, ${counted(skipped.count, "line")} skipped`;
  if (truth.checks === 0)
    return `${read}${left}; no recomputation stands for what is stored, so nothing is known to be right.`;
  if (truth.mismatches + truth.indeterminate > 0)
    return `${read}${left}; ${foundText(truth)} against the independent recomputation, in ${counted(truth.checks, "check")}.`;
  return `${read}${left}; all ${counted(truth.checks, "check")} against the independent recomputation match.`;
}

/** Nothing is wrong by the contract where a policy names nobody of the stream; hardly anything is shown by it either. */
function UnknownTenants({ summary: { requests, unserved } }: { summary: RoundSummary }) {
  const unknown = unserved?.unknown;
  if (unknown === undefined || unknown.requests === 0 || 2 * unknown.requests < requests) return null;
  const part =
    unknown.requests === requests
      ? `All ${counted(requests, "request")}`
      : `${formatCount(unknown.requests)} of ${counted(requests, "request")}`;
  return (
    <Alert
      color="yellow"
      icon={<IconUsersMinus aria-hidden />}
      title={`${part} rejected as unknown_tenant`}
      data-testid="unknown-tenants"
    >
      The policy names none of {counted(unknown.tenants, "tenant")} of this stream, and has no entry for all
      others (*): they were rejected without a bucket (§3.6), and say little about limits. A new round can
      have limits proposed from its stream.
    </Alert>
  );
}

/** Of nothing nothing can be wrong: lamps over an empty stream are no evidence that limits hold. */
function NothingDecided({ summary: { requests, skipped } }: { summary: RoundSummary }) {
  if (requests > 0) return null;
  return (
    <Alert
      color="yellow"
      icon={<IconUsersMinus aria-hidden />}
      title="No request was decided"
      data-testid="nothing-decided"
    >
      {skipped.count === 0
        ? "The stream holds no request: an empty file, or the wrong one."
        : `All ${counted(skipped.count, "line")} of the stream were left out: what they are stands under Inputs.`}{" "}
      What is well here is well about nothing, and says nothing of limits.
    </Alert>
  );
}

const COUNTS = ["accepted", "queued", "rejected", "reserve_breached"] as const;
const TOTALS = ["capacity", "used", "over_capacity"] as const;

/** The verdict from the top: what happened, figures, when, and who was hit. */
export function OverviewView({
  summary,
  worst,
  referenceBreaches,
  faults,
  basePath,
  apiPath,
}: {
  summary: RoundSummary;
  worst: Page<TenantRow>;
  /** Of the reference, of each of these tenants. */
  referenceBreaches: readonly number[];
  faults: string[];
  basePath: string;
  apiPath: string;
}) {
  return (
    <Stack gap="md">
      <Text size="lg" fw={600}>
        {verdictSentence(summary)}
      </Text>
      {summary.truth.mismatches + summary.truth.indeterminate > 0 && (
        <Anchor component={Link} href={`${basePath}/diff`}>
          Open the diff
        </Anchor>
      )}
      <NothingDecided summary={summary} />
      <UnknownTenants summary={summary} />
      <SimpleGrid cols={{ base: 1, md: 2 }}>
        <FigureTable
          caption="Counts"
          rows={COUNTS.map((field) => ({
            label: field,
            reported: (summary.reported?.counts ?? summary.counts)[field],
            expected: summary.reference_counts[field],
          }))}
        />
        <FigureTable
          caption="Totals, tokens"
          rows={TOTALS.map((field) => ({
            label: field,
            reported: (summary.reported?.totals ?? summary.totals)[field],
            expected: summary.reference_totals[field],
          }))}
        />
      </SimpleGrid>
      <section>
        <Title order={2} size="h4">
          Verdicts over time
        </Title>
        {summary.requests === 0 ? (
          <Text>The stream holds no request.</Text>
        ) : (
          <LazyVerdictChart series={summary.series} />
        )}
      </section>
      <section>
        <Title order={2} size="h4">
          Tenants, worst first
        </Title>
        <ExportLinks path={`${apiPath}/export/tenants`} />
        <TenantTable
          rows={worst.rows}
          referenceBreaches={referenceBreaches}
          basePath={basePath}
          {...(summary.unserved === undefined ? {} : { unserved: summary.unserved })}
        />
        {worst.total > worst.rows.length && (
          <Anchor component={Link} href={`${basePath}/buckets`} size="sm">
            All {formatCount(worst.total)} tenants
          </Anchor>
        )}
      </section>
      {faults.length > 0 && (
        <Text size="sm" c="dimmed">
          Faults injected into this round: {faults.join(", ")}.
        </Text>
      )}
    </Stack>
  );
}
