"use client";

import { Line, LineChart, ReferenceLine, ResponsiveContainer, Tooltip, XAxis, YAxis } from "recharts";
import type { BalancePoint, BalanceSeries } from "../../contract/round-view.ts";
import { formatSpan, formatTokens } from "../format/format.ts";
import { useRoundClock } from "./round-clock.tsx";

interface Point {
  time: number;
  balance: number;
  group?: BalancePoint;
}

const TEXT = { fill: "var(--mantine-color-text)", fontSize: 11 };

/** Before and after each group's debit: two points at one time make the step. */
function pointsOf({ tenant, points }: BalanceSeries): Point[] {
  const opening: Point = { time: 0, balance: tenant.opening_tokens };
  return [
    opening,
    ...points.flatMap((group): Point[] => [
      { time: group.time_ms, balance: group.signed_balance },
      { time: group.time_ms, balance: group.signed_after, group },
    ]),
  ];
}

/** Marks by shape: a triangle where the reserve was broken, a cross where a group was refused, a ring where it waits. */
function Mark({ cx, cy, payload }: { cx?: number; cy?: number; payload?: Point }) {
  const group = payload?.group;
  if (group === undefined || cx === undefined || cy === undefined) return <g />;
  if (group.reserve_breached)
    return <path d={`M${cx},${cy - 6}l6,10h-12z`} fill="var(--breach)" stroke="var(--mantine-color-body)" />;
  if (group.verdict === "rejected")
    return <path d={`M${cx - 4},${cy - 4}l8,8m0,-8l-8,8`} stroke="var(--rejected)" strokeWidth={2} />;
  if (group.verdict === "queued")
    return <circle cx={cx} cy={cy} r={4} fill="none" stroke="var(--queued)" strokeWidth={2} />;
  return <g />;
}

/** A tenant's signed balance over time, with capacity, reserve floor, refusals and breaches. */
export function BalanceChart({ series }: { series: BalanceSeries }) {
  const { tenant } = series;
  const clock = useRoundClock();
  const last_ms = series.points.at(-1)?.time_ms ?? 0;
  const tick = (time: number) => clock?.tick(time, last_ms) ?? formatSpan(time);
  return (
    <ResponsiveContainer width="100%" height={150}>
      <LineChart
        data={pointsOf(series)}
        margin={{ top: 8, right: 8, bottom: 0, left: 0 }}
        accessibilityLayer={false}
      >
        <XAxis dataKey="time" type="number" domain={[0, "dataMax"]} tick={TEXT} tickFormatter={tick} />
        <YAxis tick={TEXT} width="auto" domain={["auto", tenant.capacity]} tickFormatter={formatTokens} />
        <Tooltip
          labelFormatter={(time) => clock?.exact(Number(time)) ?? formatSpan(Number(time))}
          contentStyle={{
            background: "var(--mantine-color-body)",
            borderColor: "var(--mantine-color-default-border)",
          }}
        />
        <ReferenceLine y={tenant.capacity} stroke="var(--unknown)" strokeDasharray="2 3" />
        {tenant.reserve_tokens > 0 && (
          <ReferenceLine y={tenant.reserve_tokens} stroke="var(--breach)" strokeDasharray="6 3" />
        )}
        <Line
          dataKey="balance"
          stroke="var(--accepted)"
          strokeWidth={1.5}
          dot={Mark as never}
          activeDot={false}
          isAnimationActive={false}
        />
      </LineChart>
    </ResponsiveContainer>
  );
}
