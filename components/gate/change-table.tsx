"use client";

import { Table, Text } from "@mantine/core";
import type { GateChange } from "../../contract/gate-admin.ts";
import { Name } from "../name/name.tsx";

const shown = (value: unknown) =>
  value === null ? (
    <Text component="span" size="sm" c="dimmed">
      nothing
    </Text>
  ) : (
    <Name value={typeof value === "string" ? value : JSON.stringify(value)} max={80} />
  );

const keyOf = ({ kind, service, rule, field }: GateChange) => JSON.stringify([kind, service, rule, field]);

/** What an update changes, service by service and rule by rule (G2, G8). */
export function ChangeTable({ changes, label }: { changes: readonly GateChange[]; label: string }) {
  if (changes.length === 0)
    return <Text size="sm">Nothing changes: it is the live configuration in its normal form.</Text>;
  return (
    <section className="scroll-region" tabIndex={0} aria-label={label}>
      <Table verticalSpacing={4} miw={640}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Change</Table.Th>
            <Table.Th>Service</Table.Th>
            <Table.Th>Rule</Table.Th>
            <Table.Th>Field</Table.Th>
            <Table.Th>Before</Table.Th>
            <Table.Th>After</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {changes.map((change) => (
            <Table.Tr key={keyOf(change)} data-change={change.kind}>
              <Table.Td>{change.kind}</Table.Td>
              <Table.Td>{change.service === null ? "" : <Name value={change.service} />}</Table.Td>
              <Table.Td>{change.rule === null ? "" : <Name value={change.rule} />}</Table.Td>
              <Table.Td>{change.field ?? ""}</Table.Td>
              <Table.Td>{shown(change.before)}</Table.Td>
              <Table.Td>{shown(change.after)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </section>
  );
}
