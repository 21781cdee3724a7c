"use client";

import { Table } from "@mantine/core";
import { SideMark } from "./side-mark.tsx";

/** The head of a table in which A and B stand beside each other. */
export function SidesHead({
  first,
  last,
  align = "left",
}: {
  first: string;
  /** Of a fourth column, where there is one. */
  last?: string;
  /** How the values of A and B stand. */
  align?: "left" | "right";
}) {
  return (
    <Table.Thead>
      <Table.Tr>
        <Table.Th>{first}</Table.Th>
        <Table.Th ta={align}>
          <SideMark side="A" />
        </Table.Th>
        <Table.Th ta={align}>
          <SideMark side="B" />
        </Table.Th>
        {last !== undefined && <Table.Th ta={align}>{last}</Table.Th>}
      </Table.Tr>
    </Table.Thead>
  );
}
