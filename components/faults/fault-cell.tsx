"use client";

import { Box, Group, Table, Text } from "@mantine/core";
import type { FaultRow } from "../../contract/fault-study.ts";
import { ClauseText } from "../clause/clause-text.tsx";
import { SIGNAL_TITLES, signalLook } from "../signals/signal-look.ts";

/** The signals of a row on a narrow screen, where their columns lie beyond the edge. */
function NarrowSignals({ row }: { row: FaultRow }) {
  if (row.signals.length === 0) return null;
  return (
    <Box hiddenFrom="sm" my={4}>
      {row.signals.map((signal) => {
        const { word, color, Icon } = signalLook(signal);
        return (
          <Group key={signal.name} gap={4} wrap="nowrap">
            <Icon size={14} color={color} aria-hidden style={{ flexShrink: 0 }} />
            <Text size="xs">
              {SIGNAL_TITLES[signal.name]}: {word}
            </Text>
          </Group>
        );
      })}
    </Box>
  );
}

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
      <NarrowSignals row={row} />
      <Text size="xs" c="dimmed">
        {text}
      </Text>
    </Table.Th>
  );
}
