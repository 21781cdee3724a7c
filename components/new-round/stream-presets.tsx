"use client";

import { Button, Group, Paper, SimpleGrid, Stack, Text } from "@mantine/core";
import type { Preset } from "../../contract/starting-point.ts";

const TEXTS: Record<Preset, { title: string; sentence: string }> = {
  standard: {
    title: "Standard token bucket",
    sentence:
      "Each request is decided alone, when it arrives; a bucket fills all the time and is cut at its capacity, so that what is not used in time is lost.",
  },
  scenario: {
    title: "The scenario's contract",
    sentence:
      "All requests of a tenant in one second are admitted or refused as one; a bucket is filled at the second's begin, counted anew from the round's start, so that no refill is lost.",
  },
};

/** Balance over time: steps at each epoch, or a slope that is cut at the capacity; debits are the falls. */
const PATHS: Record<Preset, string> = {
  standard: "M4 40 L34 14 L50 14 L50 38 L70 21 L70 44 L104 14 L116 14",
  scenario: "M4 40 L30 40 L30 26 L56 26 L56 14 L70 14 L70 42 L82 42 L82 26 L104 26 L104 14 L116 14",
};

function Picture({ preset }: { preset: Preset }) {
  return (
    <svg
      viewBox="0 0 120 56"
      width="120"
      height="56"
      role="img"
      aria-label={`Balance over time: ${preset}`}
      style={{ flexShrink: 0 }}
    >
      <line x1="4" y1="14" x2="116" y2="14" stroke="var(--unknown)" strokeDasharray="3 3" />
      <line x1="4" y1="50" x2="116" y2="50" stroke="var(--unknown)" />
      <path d={PATHS[preset]} fill="none" stroke="var(--accepted)" strokeWidth="2" />
      <text x="4" y="10" fontSize="8" fill="var(--unknown)">
        capacity
      </text>
    </svg>
  );
}

/** The two contracts to begin with, each in a sentence and a picture. */
export function StreamPresets(props: {
  isBusy: Preset | null;
  /** Why nothing can be proposed now; null where it can. */
  hindrance: string | null;
  onPropose: (preset: Preset) => void;
}) {
  const { isBusy, hindrance, onPropose } = props;
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }}>
      {(["standard", "scenario"] as const).map((preset) => (
        <Paper key={preset} withBorder p="sm">
          <Group align="start" gap="sm">
            <Picture preset={preset} />
            <Stack gap={4} style={{ flex: "1 1 14rem", minWidth: 0 }}>
              <Text fw={600}>{TEXTS[preset].title}</Text>
              <Text size="sm">{TEXTS[preset].sentence}</Text>
              <div>
                <Button
                  size="xs"
                  variant="default"
                  loading={isBusy === preset}
                  disabled={hindrance !== null || (isBusy !== null && isBusy !== preset)}
                  onClick={() => onPropose(preset)}
                >
                  Propose {preset === "standard" ? "such limits" : "limits like it"} from the stream
                </Button>
              </div>
              {hindrance !== null && (
                <Text size="xs" c="dimmed">
                  {hindrance}
                </Text>
              )}
            </Stack>
          </Group>
        </Paper>
      ))}
    </SimpleGrid>
  );
}
