import { IconCheck, IconClock, IconX } from "@tabler/icons-react";
import type { Verdict } from "../../contract/verdicts.ts";

const ICONS = { accepted: IconCheck, queued: IconClock, rejected: IconX };

/** A verdict by icon, word and colour. */
export function VerdictText({ verdict }: { verdict: Verdict }) {
  const Icon = ICONS[verdict];
  return (
    <span style={{ color: `var(--${verdict})`, whiteSpace: "nowrap" }}>
      <Icon size={14} aria-hidden style={{ verticalAlign: "-0.15em" }} /> {verdict}
    </span>
  );
}
