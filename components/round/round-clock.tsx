"use client";

import { Text } from "@mantine/core";
import { createContext, type ReactNode, useContext, useMemo } from "react";
import { formatCount, formatSpan } from "../format/format.ts";
import { formatExactMoment, formatTick, UTC } from "../format/zoned-time.ts";
import { useZone } from "../shell/time-zone.tsx";

const Start = createContext<number | null>(null);

/** Gives what is shown of a round its clock: when the log's earliest request arrived; null where the stream tells no moments. */
export function RoundClock({ start_at_ms, children }: { start_at_ms: number | null; children: ReactNode }) {
  return <Start value={start_at_ms}>{children}</Start>;
}

/** Tells times of the round, in ms from its start, by the log's own clock in this screen's zone. */
export interface LogClock {
  exact: (ms: number) => string;
  tick: (ms: number, span_ms: number) => string;
  /** The same as a column's cells, its title and its width: UTC is told once, an offset with each time, as it may change. */
  cell: (ms: number) => string;
  title: string;
  width: string;
}

/** The clock of the round that is shown; null where its stream tells no moments. */
export function useRoundClock(): LogClock | null {
  const start_at_ms = useContext(Start);
  const zone = useZone();
  return useMemo(
    () =>
      start_at_ms === null
        ? null
        : {
            exact: (ms) => formatExactMoment(start_at_ms + ms, zone),
            tick: (ms, span_ms) => formatTick(start_at_ms + ms, zone, span_ms),
            cell: (ms) => formatExactMoment(start_at_ms + ms, zone).replace(/ UTC$/, ""),
            title: zone === UTC ? "Arrival (UTC)" : "Arrival",
            width: zone === UTC ? "11.5rem" : "16rem",
          },
    [start_at_ms, zone],
  );
}

/** A time of the round in a line of text: when it was by the log's clock, and how long after the round's start. */
export function RoundTime({ ms }: { ms: number }) {
  const clock = useRoundClock();
  return (
    <>
      {formatCount(ms)} ms{clock === null ? "" : ` (${clock.exact(ms)})`}
    </>
  );
}

/** The same in a cell of a table, exact: groups of one hour must not look as if they were of one time. */
export function RoundTimeCell({ ms }: { ms: number }) {
  const clock = useRoundClock();
  return (
    <>
      {clock === null ? formatSpan(ms) : clock.exact(ms)}
      <Text size="xs" c="dimmed">
        {formatCount(ms)} ms
      </Text>
    </>
  );
}
