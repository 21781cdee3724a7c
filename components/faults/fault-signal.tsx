import { Group, Text } from "@mantine/core";
import type { Signal } from "../../contract/signals.ts";
import { SIGNAL_TITLES, signalLook } from "../signals/signal-look.ts";

/** What a signal did about a fault, in words of the lab: to be not well here is to catch it. */
function labWord({ claim, lies }: Signal, word: string): string {
  if (claim === "unwell") return "catches it";
  return lies ? "says well" : word;
}

/** A signal of a fault's row: in its column, or with its name where there are no columns. */
export function FaultSignal({ signal, isNamed = false }: { signal: Signal; isNamed?: boolean }) {
  const { word, color, Icon } = signalLook(signal);
  const said = labWord(signal, word);
  return (
    <Group gap={4} wrap="nowrap" data-claim={signal.claim} data-lies={signal.lies}>
      <Icon size={isNamed ? 14 : 16} color={color} aria-hidden style={{ flexShrink: 0 }} />
      <Text size={isNamed ? "xs" : "sm"} title={signal.evidence} style={{ whiteSpace: "nowrap" }}>
        {isNamed ? `${SIGNAL_TITLES[signal.name]}: ${said}` : said}
      </Text>
    </Group>
  );
}
