import { Group, Text } from "@mantine/core";
import type { Signal } from "../../contract/signals.ts";
import { SIGNAL_TITLES, signalLook } from "../signals/signal-look.ts";

/** What a signal did about a fault that shows: to be not well here is to catch it, and who says well is deceived. */
function labLook(signal: Signal): ReturnType<typeof signalLook> {
  const isDeceived = signal.claim === "well";
  const look = signalLook({ ...signal, lies: isDeceived });
  if (isDeceived) return { ...look, word: "says well" };
  return signal.claim === "unwell" ? { ...look, word: "catches it" } : look;
}

/** A signal of a fault's row: in its column, or with its name where there are no columns. */
export function FaultSignal({ signal, isNamed = false }: { signal: Signal; isNamed?: boolean }) {
  const { word, color, Icon } = labLook(signal);
  return (
    <Group gap={4} wrap="nowrap" data-claim={signal.claim} data-lies={signal.lies}>
      <Icon size={isNamed ? 14 : 16} color={color} aria-hidden style={{ flexShrink: 0 }} />
      <Text size={isNamed ? "xs" : "sm"} title={signal.evidence} style={{ whiteSpace: "nowrap" }}>
        {isNamed ? `${SIGNAL_TITLES[signal.name]}: ${word}` : word}
      </Text>
    </Group>
  );
}
