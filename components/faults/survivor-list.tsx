"use client";

import { Group, Stack, Table, Text, Title } from "@mantine/core";
import { IconGhost2 } from "@tabler/icons-react";
import type { FaultStudy } from "../../contract/fault-study.ts";
import { counted } from "../format/format.ts";
import { FaultRowCells } from "./fault-row-cells.tsx";
import type { RowActions } from "./row-actions.ts";

/** Faults that the stream cannot show, said plainly: here no signal proves anything about them. */
export function SurvivorList({ study, actions }: { study: FaultStudy; actions: RowActions }) {
  const rows = study.rows.filter(({ shows }) => !shows);
  if (rows.length === 0) return <Text>This stream shows every fault that was tried.</Text>;
  return (
    <Stack gap="xs">
      <Group gap="xs">
        <IconGhost2 size={20} aria-hidden />
        <Title order={2} size="h4">
          {counted(rows.length, "fault")} this stream cannot show
        </Title>
      </Group>
      <Text size="sm">
        With each of these the report is the same, byte for byte: green lamps over this stream say nothing
        about them.
      </Text>
      <section className="scroll-region sticky-head" tabIndex={0} aria-label="Faults this stream cannot show">
        <Table miw={820} verticalSpacing={6}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Fault</Table.Th>
              <Table.Th>Why not</Table.Th>
              <Table.Th>Smallest stream that shows it</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows.map((row) => (
              <Table.Tr key={row.id} data-survivor={row.id} style={{ verticalAlign: "top" }}>
                <FaultRowCells row={row} text={row.summary} actions={actions}>
                  <Table.Td>{row.note}</Table.Td>
                </FaultRowCells>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </section>
    </Stack>
  );
}
