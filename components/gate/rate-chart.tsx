"use client";

import { Area, AreaChart, CartesianGrid, Legend, ResponsiveContainer, Tooltip, XAxis, YAxis } from "recharts";
import { formatMoment } from "../format/zoned-time.ts";
import { useZone } from "../shell/time-zone.tsx";
import type { RateSample } from "./rate-series.ts";

const TEXT = { fill: "var(--mantine-color-text)", fontSize: 12 };
const rate = (value: unknown) => `${Number(Number(value).toFixed(1))}/s`;

/** Requests a second that a rule allowed and denied, stacked. */
export function RateChart({ samples, label }: { samples: RateSample[]; label: string }) {
  const zone = useZone();
  const clock = (at_ms: unknown) => formatMoment(Number(at_ms), zone).slice(11, 19);
  return (
    <figure style={{ margin: 0 }} aria-label={label}>
      <ResponsiveContainer width="100%" height={180}>
        <AreaChart
          data={samples}
          margin={{ top: 8, right: 8, bottom: 0, left: 0 }}
          accessibilityLayer={false}
        >
          <CartesianGrid stroke="var(--mantine-color-default-border)" vertical={false} />
          <XAxis dataKey="at_ms" tick={TEXT} tickFormatter={clock} minTickGap={40} />
          <YAxis tick={TEXT} tickFormatter={rate} width={60} />
          <Tooltip
            labelFormatter={clock}
            formatter={rate}
            contentStyle={{
              background: "var(--mantine-color-body)",
              borderColor: "var(--mantine-color-default-border)",
            }}
          />
          <Legend />
          {(["allowed", "denied"] as const).map((part) => (
            <Area
              key={part}
              dataKey={part}
              stackId="rate"
              type="step"
              stroke={`var(--${part === "allowed" ? "accepted" : "rejected"})`}
              fill={`var(--${part === "allowed" ? "accepted" : "rejected"})`}
              fillOpacity={part === "allowed" ? 0.35 : 0.7}
              isAnimationActive={false}
            />
          ))}
        </AreaChart>
      </ResponsiveContainer>
    </figure>
  );
}
