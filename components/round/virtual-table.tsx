"use client";

import { Group, Pagination, Skeleton, Stack, Text } from "@mantine/core";
import { useVirtualizer } from "@tanstack/react-virtual";
import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from "react";
import { formatCount } from "../format/format.ts";
import { NotRead } from "../shell/not-read.tsx";
import { RowQueries } from "./row-queries.tsx";
import { useWindow } from "./use-window.ts";

export interface Column<Row> {
  title: string;
  /** A track of a CSS grid. */
  width: string;
  align?: "right";
  cell: (row: Row) => ReactNode;
}

export interface VirtualTableProps<Row> {
  label: string;
  path: string;
  params: URLSearchParams;
  columns: Column<Row>[];
  /** Index to scroll to and mark, from a link. */
  target?: number | null;
  empty: ReactNode;
  /** A length of CSS; what is wider than the screen scrolls sideways. */
  minWidth?: string;
  onOpen?: (row: Row) => void;
}

const ROW_PX = 34;
/** Height of the window, in rows. */
const ROWS_SHOWN = 16;
/** Rows that are scrolled over at once: what is higher than some 16 million pixels a browser silently cuts off. */
const STRETCH_ROWS = 400_000;
const startOf = (index: number) => index - (index % STRETCH_ROWS);

/** Where to scroll to: an index among all rows. */
interface Goal {
  index: number;
  align: "auto" | "center" | "start";
}

function Stretches({
  start,
  total,
  onTurn,
}: {
  start: number;
  total: number;
  onTurn: (start: number) => void;
}) {
  const titleOf = (from: number) =>
    `Rows ${formatCount(from + 1)} – ${formatCount(Math.min(from + STRETCH_ROWS, total))}`;
  return (
    <Group component="nav" aria-label="Stretches of the table" justify="space-between" gap="xs">
      <Text size="sm" aria-live="polite">
        {titleOf(start)} of {formatCount(total)}
      </Text>
      <Pagination
        size="sm"
        total={Math.ceil(total / STRETCH_ROWS)}
        value={start / STRETCH_ROWS + 1}
        onChange={(page) => onTurn((page - 1) * STRETCH_ROWS)}
        getItemProps={(page) => ({ "aria-label": titleOf((page - 1) * STRETCH_ROWS) })}
        getControlProps={(control) => ({ "aria-label": control === "next" ? "Next rows" : "Previous rows" })}
      />
    </Group>
  );
}

function Window<Row>(props: VirtualTableProps<Row>) {
  const { label, path, params, columns, target = null, empty, minWidth = "60rem", onOpen } = props;
  const region = useRef<HTMLDivElement>(null);
  const [marked, setMarked] = useState(target ?? -1);
  const [total, setTotal] = useState(ROWS_SHOWN);
  const [stretch, setStretch] = useState(startOf(target ?? 0));
  const [goal, setGoal] = useState<Goal | null>(null);
  // Another question may have fewer rows.
  const start = Math.min(stretch, startOf(Math.max(total - 1, 0)));
  const count = Math.min(total - start, STRETCH_ROWS);
  const rows = useVirtualizer({
    count,
    getScrollElement: () => region.current,
    estimateSize: () => ROW_PX,
    overscan: 10,
    initialOffset: target === null ? 0 : Math.max(0, (target % STRETCH_ROWS) * ROW_PX - 3 * ROW_PX),
  });
  const items = rows.getVirtualItems();
  const shown = [items[0], items.at(-1)].map((item) =>
    item === undefined ? (target ?? 0) : start + item.index,
  );
  const found = useWindow<Row>(path, params, shown[0]!, shown[1]!);
  const { scrollToIndex } = rows;
  useEffect(() => {
    if (found.total !== null) setTotal(found.total);
  }, [found.total]);
  useEffect(() => {
    if (target === null || found.total === null) return;
    setMarked(target);
    setStretch(startOf(target));
    setGoal({ index: target, align: "center" });
  }, [target, found.total]);
  useEffect(() => {
    // Its stretch comes first.
    if (goal === null || goal.index < start || goal.index >= start + count) return;
    scrollToIndex(goal.index - start, { align: goal.align });
    setGoal(null);
  }, [goal, start, count, scrollToIndex]);

  const move = (event: KeyboardEvent) => {
    const step = { j: 1, ArrowDown: 1, k: -1, ArrowUp: -1, Home: -total, End: total }[event.key];
    if (event.key === "Enter" && onOpen !== undefined) {
      const row = found.row(marked);
      if (row !== null) onOpen(row);
    }
    if (step === undefined) return;
    event.preventDefault();
    const next = Math.min(Math.max(marked + step, 0), total - 1);
    setMarked(next);
    setStretch(startOf(next));
    setGoal({ index: next, align: "auto" });
  };
  const turn = (to: number) => {
    setStretch(to);
    setGoal({ index: to, align: "start" });
  };

  if (found.error !== null)
    return <NotRead what="The rows could not be read" error={found.error} onRetry={found.retry} />;
  if (found.total === 0) return <Text>{empty}</Text>;
  const grid = {
    display: "grid",
    gridTemplateColumns: columns.map(({ width }) => width).join(" "),
    gap: "0 0.75rem",
    minWidth,
    padding: "0 0.5rem",
  };
  const table = (
    <div
      ref={region}
      role="table"
      aria-label={`${label}. Keys j and k move from row to row.`}
      aria-rowcount={total + 1}
      tabIndex={0}
      onKeyDown={move}
      style={{
        height: (Math.min(total, ROWS_SHOWN) + 1) * ROW_PX + 18,
        overflow: "auto",
        border: "1px solid var(--mantine-color-default-border)",
      }}
    >
      <div
        role="rowgroup"
        style={{
          position: "sticky",
          top: 0,
          zIndex: 1,
          background: "var(--mantine-color-body)",
          minWidth,
        }}
      >
        <div
          role="row"
          aria-rowindex={1}
          style={{
            ...grid,
            height: ROW_PX,
            alignItems: "center",
            borderBottom: "1px solid var(--mantine-color-default-border)",
          }}
        >
          {columns.map(({ title, align }) => (
            <Text key={title} role="columnheader" size="sm" fw={700} ta={align ?? "left"}>
              {title}
            </Text>
          ))}
        </div>
      </div>
      <div role="rowgroup" style={{ height: rows.getTotalSize(), position: "relative", minWidth }}>
        {items.map(({ index: place, start: top }) => {
          const index = start + place;
          const row = found.row(index);
          const isMarked = index === marked;
          return (
            <div
              key={index}
              role="row"
              aria-rowindex={index + 2}
              data-marked={isMarked || undefined}
              style={{
                ...grid,
                position: "absolute",
                insetInline: 0,
                transform: `translateY(${top}px)`,
                height: ROW_PX,
                alignItems: "center",
                fontSize: "var(--mantine-font-size-sm)",
                whiteSpace: "nowrap",
                background: isMarked ? "var(--mantine-primary-color-light)" : undefined,
              }}
            >
              {row === null ? (
                <div role="cell" style={{ gridColumn: "1 / -1" }}>
                  <Skeleton height={12} />
                </div>
              ) : (
                columns.map(({ title, align, cell }) => (
                  <div
                    key={title}
                    role="cell"
                    style={{ textAlign: align ?? "left", overflow: "hidden", textOverflow: "ellipsis" }}
                  >
                    {cell(row)}
                  </div>
                ))
              )}
            </div>
          );
        })}
      </div>
    </div>
  );
  if (total <= STRETCH_ROWS) return table;
  return (
    <Stack gap="xs">
      {table}
      <Stretches start={start} total={total} onTurn={turn} />
    </Stack>
  );
}

/** A table of any length: the server pages, the browser holds a window. j and k, or the arrows, move from row to row.
 * More rows than a browser scrolls over are shown one stretch after the other. */
export function VirtualTable<Row>(props: VirtualTableProps<Row>) {
  return (
    <RowQueries>
      <Window {...props} />
    </RowQueries>
  );
}
