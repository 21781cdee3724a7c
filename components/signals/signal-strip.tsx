"use client";

import { Group, Paper, Stack, Text } from "@mantine/core";
import type { SignalBoard } from "../../contract/signals.ts";
import { SIGNAL_TITLES, signalLook } from "./signal-look.ts";

/** The five lamps of a round with their claims and evidence (§5.5). */
export function SignalStrip({ board }: { board: SignalBoard }) {
  return (
    <Group
      component="ul"
      aria-label="Signals"
      gap="xs"
      align="stretch"
      p={0}
      m={0}
      style={{ listStyle: "none" }}
    >
      {board.signals.map((signal) => {
        const { word, color, Icon } = signalLook(signal);
        return (
          <Paper
            component="li"
            key={signal.name}
            withBorder
            px="sm"
            py={6}
            style={{ borderLeft: `4px solid ${color}`, flex: "1 1 10rem" }}
            data-signal={signal.name}
            data-claim={signal.claim}
            data-lies={signal.lies}
          >
            <Stack gap={0}>
              <Group gap={6} wrap="nowrap">
                <Icon size={18} color={color} aria-hidden style={{ flexShrink: 0 }} />
                <Text size="sm" fw={600}>
                  {SIGNAL_TITLES[signal.name]}: {word}
                </Text>
              </Group>
              <Text size="xs" c="dimmed">
                {signal.evidence}
              </Text>
            </Stack>
          </Paper>
        );
      })}
    </Group>
  );
}

/** The lamps of a round in one line of a list; each names itself for those who cannot see it. */
export function SignalLamps({ board }: { board: Pick<SignalBoard, "signals"> }) {
  return (
    <Group gap={4} wrap="nowrap">
      {board.signals.map((signal) => {
        const { word, color, Icon } = signalLook(signal);
        const text = `${SIGNAL_TITLES[signal.name]}: ${word} (${signal.evidence})`;
        return <Icon key={signal.name} size={18} color={color} role="img" aria-label={text} title={text} />;
      })}
    </Group>
  );
}
