"use client";

import { Alert, Stack, Table, Text, Title } from "@mantine/core";
import type { RoundSummary } from "../../contract/round-view.ts";
import { ClauseText } from "../clause/clause-text.tsx";
import { ExportLinks } from "../export/export-links.tsx";
import { counted, formatCount } from "../format/format.ts";
import { ResultText } from "./result-text.tsx";

function CheckTable({ table }: { table: RoundSummary["table"] }) {
  return (
    <section className="scroll-region sticky-head" tabIndex={0} aria-label="Check table">
      <Table miw={720} verticalSpacing={4}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th miw="min(14rem, 44vw)">Check</Table.Th>
            <Table.Th>Result</Table.Th>
            <Table.Th>Clause</Table.Th>
            {["Places", "Matched", "Mismatched", "Indeterminate", "Ignored"].map((title) => (
              <Table.Th key={title} ta="right">
                {title}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {table.map((row) => (
            <Table.Tr key={row.check}>
              <Table.Td>{row.title}</Table.Td>
              <Table.Td>
                {row.places === 0 ? (
                  "nothing to look at"
                ) : (
                  <ResultText
                    result={
                      row.mismatched > 0 ? "mismatch" : row.indeterminate > 0 ? "indeterminate" : "match"
                    }
                  />
                )}
              </Table.Td>
              <Table.Td>
                <ClauseText text={row.clause} />
              </Table.Td>
              {[row.places, row.matched, row.mismatched, row.indeterminate, row.ignored].map((count, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: five columns that never move.
                <Table.Td key={at} ta="right">
                  {formatCount(count)}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </section>
  );
}

function CriterionTable({ criteria }: { criteria: RoundSummary["acceptance"] }) {
  return (
    <section className="scroll-region sticky-head" tabIndex={0} aria-label="Acceptance criteria">
      <Table miw={720} verticalSpacing={4}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th w="min(30rem, 50vw)">Criterion</Table.Th>
            <Table.Th>Result</Table.Th>
            <Table.Th>Group</Table.Th>
            <Table.Th>Clause</Table.Th>
            <Table.Th>Found</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {criteria.map(({ id, group, clause, title, passed, detail }) => (
            <Table.Tr key={id}>
              <Table.Td>{title}</Table.Td>
              <Table.Td>
                <ResultText
                  result={passed === null ? "indeterminate" : passed ? "match" : "mismatch"}
                  word={passed === null ? "indeterminate" : passed ? "holds" : "does not hold"}
                />
              </Table.Td>
              <Table.Td>{group}</Table.Td>
              <Table.Td>
                <ClauseText text={clause} />
              </Table.Td>
              <Table.Td>{detail}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </section>
  );
}

/** The check table (§5.2), and the criteria that need no recomputation (§5.5). */
export function ChecksView({ summary, apiPath }: { summary: RoundSummary; apiPath: string }) {
  const { truth, health, table, acceptance } = summary;
  const isBelied = health.checks !== truth.checks || health.mismatches !== truth.mismatches;
  return (
    <Stack gap="md">
      {truth.checks === 0 && <Text fw={600}>No recomputation stands for what is stored.</Text>}
      <Text fw={600}>
        checks: {formatCount(truth.checks)}; {counted(truth.mismatches, "mismatch", "mismatches")},{" "}
        {formatCount(truth.indeterminate)} indeterminate
      </Text>
      {isBelied && (
        <Alert color="red" title="The service's health says otherwise">
          It claims {counted(health.checks, "check")} with{" "}
          {counted(health.mismatches, "mismatch", "mismatches")}. The table below is the true recomputation.
        </Alert>
      )}
      <ExportLinks path={`${apiPath}/export/checks`} />
      <CheckTable table={table} />
      <Title order={2} size="h4">
        Acceptance: {acceptance.filter(({ passed }) => passed === true).length} of{" "}
        {counted(acceptance.length, "criterion", "criteria")} hold
      </Title>
      <ExportLinks path={`${apiPath}/export/criteria`} />
      <CriterionTable criteria={acceptance} />
    </Stack>
  );
}
