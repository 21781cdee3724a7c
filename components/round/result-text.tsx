import { IconCheck, IconHelpCircle, IconMinus, IconX } from "@tabler/icons-react";
import type { CheckResult } from "../../contract/health.ts";

const LOOKS = {
  match: { Icon: IconCheck, color: "var(--well)" },
  mismatch: { Icon: IconX, color: "var(--unwell)" },
  indeterminate: { Icon: IconHelpCircle, color: "var(--unknown)" },
  ignored: { Icon: IconMinus, color: "var(--unknown)" },
};

/** The result of a check at one place, by icon, word and colour (§5.2). */
export function ResultText({ result, word = result }: { result: CheckResult; word?: string }) {
  const { Icon, color } = LOOKS[result];
  return (
    <span style={{ color, whiteSpace: "nowrap" }}>
      <Icon size={14} aria-hidden style={{ verticalAlign: "-0.15em" }} /> {word}
    </span>
  );
}
