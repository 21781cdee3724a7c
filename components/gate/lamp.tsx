"use client";

import { Group, Paper, Text } from "@mantine/core";
import { IconCircleCheck, IconCircleX, IconHelpCircle } from "@tabler/icons-react";

/** `unknown`: there is no evidence; such a lamp is never green. */
export type LampClaim = "well" | "unwell" | "unknown";

const LOOKS = {
  well: { color: "var(--well)", Icon: IconCircleCheck },
  unwell: { color: "var(--unwell)", Icon: IconCircleX },
  unknown: { color: "var(--unknown)", Icon: IconHelpCircle },
};

/** What a lamp claims, in a word, and on what evidence. */
export function Lamp(props: { id: string; title: string; claim: LampClaim; word: string; evidence: string }) {
  const { id, title, claim, word, evidence } = props;
  const { color, Icon } = LOOKS[claim];
  return (
    <Paper
      component="li"
      withBorder
      px="sm"
      py={6}
      style={{ borderLeft: `4px solid ${color}`, flex: "1 1 14rem" }}
      data-lamp={id}
      data-claim={claim}
    >
      <Group gap={6} wrap="nowrap">
        <Icon size={18} color={color} aria-hidden style={{ flexShrink: 0 }} />
        <Text size="sm" fw={600}>
          {title}: {word}
        </Text>
      </Group>
      <Text size="xs" c="dimmed">
        {evidence}
      </Text>
    </Paper>
  );
}
