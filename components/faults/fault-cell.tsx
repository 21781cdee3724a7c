"use client";

import { Table, Text } from "@mantine/core";
import type { FaultRow } from "../../contract/fault-study.ts";
import { ClauseText } from "../clause/clause-text.tsx";

/** A fault at the head of its row: what it is, the clause it breaks, and what is to be said of it. */
export function FaultCell({ row, text }: { row: FaultRow; text: string }) {
  return (
    <Table.Th scope="row" style={{ verticalAlign: "top", fontWeight: 400 }} maw={280}>
      <Text size="sm" fw={600}>
        {row.title}
      </Text>
      <Text size="xs">
        <ClauseText text={row.clause} />
      </Text>
      <Text size="xs" c="dimmed">
        {text}
      </Text>
    </Table.Th>
  );
}
