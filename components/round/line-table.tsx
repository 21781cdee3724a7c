"use client";

import { Table } from "@mantine/core";
import type { LineProblem } from "../../contract/request.ts";
import { formatCount } from "../format/format.ts";
import { Name } from "../name/name.tsx";

/** Bad lines of a stream: number, field, reason (§1.3). */
export function LineTable({ lines }: { lines: LineProblem[] }) {
  return (
    <section className="scroll-region" tabIndex={0} aria-label="Bad lines">
      <Table>
        <Table.Thead>
          <Table.Tr>
            <Table.Th ta="right">Line</Table.Th>
            <Table.Th>Field</Table.Th>
            <Table.Th>Reason</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {lines.map(({ line, field, reason }) => (
            <Table.Tr key={line}>
              <Table.Td ta="right">{formatCount(line)}</Table.Td>
              <Table.Td>{field === "" ? "the line" : <Name value={field} />}</Table.Td>
              <Table.Td>{reason}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </section>
  );
}
