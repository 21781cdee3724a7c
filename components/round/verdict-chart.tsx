"use client";

import { Bar, BarChart, CartesianGrid, Legend, ResponsiveContainer, Tooltip, XAxis, YAxis } from "recharts";
import type { VerdictSeries } from "../../contract/round-view.ts";
import { formatCount, formatSpan } from "../format/format.ts";
import { useRoundClock } from "./round-clock.tsx";

const PARTS = ["accepted", "queued", "rejected"] as const;
const TEXT = { fill: "var(--mantine-color-text)", fontSize: 12 };

/** Verdicts over the time of the round, stacked. */
export function VerdictChart({ series }: { series: VerdictSeries }) {
  const bins = series.accepted.map((accepted, bin) => ({
    time: series.start_ms + bin * series.width_ms,
    accepted,
    queued: series.queued[bin]!,
    rejected: series.rejected[bin]!,
  }));
  const clock = useRoundClock();
  const span_ms = bins.length * series.width_ms;
  const tick = (time: number) => clock?.tick(time, span_ms) ?? formatSpan(time);
  const peak = Math.max(0, ...bins.map((bin) => bin.accepted + bin.queued + bin.rejected));
  return (
    <figure
      style={{ margin: 0 }}
      aria-label={`Verdicts over time in ${bins.length} bins of ${formatSpan(series.width_ms)}, at most ${peak} requests in one`}
    >
      <ResponsiveContainer width="100%" height={220}>
        <BarChart data={bins} margin={{ top: 8, right: 8, bottom: 0, left: 0 }} accessibilityLayer={false}>
          <CartesianGrid stroke="var(--mantine-color-default-border)" vertical={false} />
          <XAxis dataKey="time" tick={TEXT} tickFormatter={tick} />
          <YAxis tick={TEXT} allowDecimals={false} tickFormatter={formatCount} width="auto" />
          <Tooltip
            labelFormatter={(time) =>
              `from ${clock?.exact(Number(time)) ?? formatSpan(Number(time))}, ${formatSpan(series.width_ms)} wide`
            }
            contentStyle={{
              background: "var(--mantine-color-body)",
              borderColor: "var(--mantine-color-default-border)",
            }}
            cursor={{ fill: "var(--mantine-color-default-hover)" }}
          />
          <Legend />
          {PARTS.map((part) => (
            <Bar
              key={part}
              dataKey={part}
              stackId="verdict"
              fill={`var(--${part})`}
              isAnimationActive={false}
            />
          ))}
        </BarChart>
      </ResponsiveContainer>
    </figure>
  );
}
