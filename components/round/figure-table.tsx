"use client";

import { Table, Text } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import { formatTokens } from "../format/format.ts";

/** Reported figures beside the reference's; what differs is marked by more than colour. */
export function FigureTable({
  caption,
  rows,
}: {
  caption: string;
  /** A report that was made elsewhere may lack a figure: null. */
  rows: { label: string; reported: number | null; expected: number }[];
}) {
  return (
    <Table captionSide="top" verticalSpacing={4}>
      <Table.Caption ta="left" fw={600} c="inherit" fz="sm">
        {caption}
      </Table.Caption>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Figure</Table.Th>
          <Table.Th ta="right">Report</Table.Th>
          <Table.Th ta="right">Reference</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {rows.map(({ label, reported, expected }) => (
          <Table.Tr key={label}>
            <Table.Td>{label}</Table.Td>
            <Table.Td ta="right">{reported === null ? "not reported" : formatTokens(reported)}</Table.Td>
            <Table.Td ta="right">
              {reported === expected ? (
                formatTokens(expected)
              ) : (
                <Text component="span" size="sm" fw={700} c="var(--unwell)" style={{ whiteSpace: "nowrap" }}>
                  <IconAlertTriangle size={14} role="img" aria-label="differs:" /> {formatTokens(expected)}
                </Text>
              )}
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}
