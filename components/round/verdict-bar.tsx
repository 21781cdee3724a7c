import type { Counts } from "../../contract/report.ts";
import { formatCount } from "../format/format.ts";

const PARTS = ["accepted", "queued", "rejected"] as const;

/** Accepted, queued and rejected as parts of a bar, each with its number in words for those who cannot see it. */
export function VerdictBar({ counts, width = "8rem" }: { counts: Counts; width?: string }) {
  const total = PARTS.reduce((sum, part) => sum + counts[part], 0);
  const text = PARTS.map((part) => `${formatCount(counts[part])} ${part}`).join(", ");
  return (
    <span
      role="img"
      aria-label={text}
      title={text}
      style={{
        display: "inline-flex",
        width,
        height: "0.75rem",
        borderRadius: 3,
        overflow: "hidden",
        background: "var(--mantine-color-default-border)",
      }}
    >
      {PARTS.filter((part) => counts[part] > 0).map((part) => (
        <span
          key={part}
          style={{ width: `${(100 * counts[part]) / total}%`, background: `var(--${part})` }}
        />
      ))}
    </span>
  );
}
