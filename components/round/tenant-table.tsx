"use client";

import { Anchor, Table } from "@mantine/core";
import Link from "next/link";
import type { TenantRow } from "../../contract/round-view.ts";
import { formatCount, formatTokens } from "../format/format.ts";
import { Name } from "../name/name.tsx";
import { VerdictBar } from "./verdict-bar.tsx";

const percent = (part: number, whole: number): string => `${Math.round((100 * part) / whole)} %`;

/** Tenants with what they used and were refused; each leads to its bucket. */
export function TenantTable({ rows, basePath }: { rows: TenantRow[]; basePath: string }) {
  return (
    <section className="scroll-region" tabIndex={0} aria-label="Tenants, worst first">
      <Table miw={720} verticalSpacing={4}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Tenant</Table.Th>
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
          {rows.map((row) => (
            <Table.Tr key={row.tenant}>
              <Table.Td>
                <Anchor
                  component={Link}
                  href={`${basePath}/buckets?tenant=${encodeURIComponent(row.tenant)}`}
                >
                  <Name isLinked value={row.tenant} />
                </Anchor>
              </Table.Td>
              <Table.Td>
                <Name value={row.tier} max={24} />
              </Table.Td>
              <Table.Td ta="right">{formatCount(row.breaches)}</Table.Td>
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
        </Table.Tbody>
      </Table>
    </section>
  );
}
