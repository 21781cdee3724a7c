"use client";

import { Anchor, Table, Text } from "@mantine/core";
import Link from "next/link";
import type { TenantRow, UnservedTenants } from "../../contract/round-view.ts";
import { counted, formatCount, formatTokens } from "../format/format.ts";
import { Name } from "../name/name.tsx";
import { BesideReference } from "./beside-reference.tsx";
import { VerdictBar } from "./verdict-bar.tsx";

/** A share in whole percents; what is not nothing, and not all of it, is not rounded to that. */
function percent(part: number, whole: number): string {
  const rounded = Math.round((100 * part) / whole);
  if (rounded === 0 && part > 0) return "< 1 %";
  if (rounded === 100 && part !== whole) return part < whole ? "> 99 %" : "> 100 %";
  return `${formatCount(rounded)} %`;
}

/** Requests of tenants without a bucket, so that the rows come to what is counted above. */
function UnservedRow({ what, part }: { what: string; part: UnservedTenants["unknown"] }) {
  if (part.requests === 0) return null;
  const counts = { accepted: 0, queued: 0, rejected: part.requests, reserve_breached: 0 };
  return (
    <Table.Tr>
      <Table.Td colSpan={3}>
        {counted(part.tenants, "tenant")} {what}
      </Table.Td>
      <Table.Td>
        <VerdictBar counts={counts} />
      </Table.Td>
      <Table.Td ta="right">{formatCount(part.requests)}</Table.Td>
      <Table.Td colSpan={4}>no bucket</Table.Td>
    </Table.Tr>
  );
}

/** Tenants with what they used and were refused; each leads to its bucket. */
export function TenantTable({
  rows,
  referenceBreaches,
  basePath,
  unserved,
}: {
  rows: TenantRow[];
  /** Of the reference, in the order of the rows. */
  referenceBreaches: readonly number[];
  basePath: string;
  /** Absent where it was not counted. */
  unserved?: UnservedTenants;
}) {
  return (
    <section className="scroll-region" tabIndex={0} aria-label="Tenants, worst first">
      <Table miw={720} verticalSpacing={4}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th miw="min(14rem, 48vw)">Tenant</Table.Th>
            <Table.Th>Tier</Table.Th>
            <Table.Th ta="right">Breaches</Table.Th>
            <Table.Th>Verdicts</Table.Th>
            <Table.Th ta="right">Rejected</Table.Th>
            <Table.Th ta="right">Used</Table.Th>
            <Table.Th ta="right">Capacity</Table.Th>
            <Table.Th ta="right">Used of capacity</Table.Th>
            <Table.Th ta="right">Closing</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row, at) => (
            <Table.Tr key={row.tenant}>
              <Table.Td>
                <Anchor
                  component={Link}
                  href={`${basePath}/buckets?tenant=${encodeURIComponent(row.tenant)}`}
                >
                  <Name isLinked value={row.tenant} />
                </Anchor>
                {/* On a narrow screen their columns lie beyond the edge. */}
                <Text size="xs" c="dimmed" hiddenFrom="sm">
                  {counted(row.breaches, "breach", "breaches")}, {formatCount(row.rejected)} rejected, used{" "}
                  {percent(row.used, row.capacity)}
                </Text>
              </Table.Td>
              <Table.Td>
                <Name value={row.tier} max={24} />
              </Table.Td>
              <Table.Td ta="right">
                <BesideReference reported={row.breaches} expected={referenceBreaches[at]} />
              </Table.Td>
              <Table.Td>
                <VerdictBar counts={{ ...row, reserve_breached: 0 }} />
              </Table.Td>
              <Table.Td ta="right">{formatCount(row.rejected)}</Table.Td>
              <Table.Td ta="right">{formatTokens(row.used)}</Table.Td>
              <Table.Td ta="right">{formatTokens(row.capacity)}</Table.Td>
              <Table.Td ta="right">{percent(row.used, row.capacity)}</Table.Td>
              <Table.Td ta="right">{formatTokens(row.closing_tokens)}</Table.Td>
            </Table.Tr>
          ))}
          {unserved !== undefined && (
            <>
              <UnservedRow what="not in the policy" part={unserved.unknown} />
              <UnservedRow what="on the denylist" part={unserved.denylisted} />
            </>
          )}
        </Table.Tbody>
      </Table>
    </section>
  );
}
