"use client";

import { Box, Table, Text } from "@mantine/core";
import type { ReactNode } from "react";
import type { FaultRow } from "../../contract/fault-study.ts";
import { ClauseText } from "../clause/clause-text.tsx";
import { FaultSignal } from "./fault-signal.tsx";
import type { RowActions } from "./row-actions.ts";
import { SmallestStream } from "./smallest-stream.tsx";

/** A fault at the head of its row: what it is, the clause it breaks, and what is to be said of it. */
function FaultHead({ row, text }: { row: FaultRow; text: string }) {
  return (
    <Table.Th scope="row" style={{ fontWeight: 400 }} maw={280}>
      <Text size="sm" fw={600}>
        {row.title}
      </Text>
      <Text size="xs">
        <ClauseText text={row.clause} />
      </Text>
      {/* On a narrow screen their columns lie beyond the edge. */}
      <Box hiddenFrom="sm" my={4}>
        {row.signals.map((signal) => (
          <FaultSignal key={signal.name} signal={signal} isNamed />
        ))}
      </Box>
      <Text size="xs" c="dimmed">
        {text}
      </Text>
    </Table.Th>
  );
}

/** The cells of a fault's row: the fault, what a table has of its own, and the smallest stream that shows it. */
export function FaultRowCells({
  row,
  text,
  actions,
  children,
}: {
  row: FaultRow;
  /** What is said of the fault below its title. */
  text: string;
  actions: RowActions;
  children: ReactNode;
}) {
  return (
    <>
      <FaultHead row={row} text={text} />
      {children}
      <Table.Td>
        <SmallestStream row={row} actions={actions} />
      </Table.Td>
    </>
  );
}
