"use client";

import { Anchor, Badge, Group, Table, Text, UnstyledButton } from "@mantine/core";
import Link from "next/link";
import type { RoundListItem } from "../../contract/round-view.ts";
import { formatCount, formatSpan } from "../format/format.ts";
import { Name } from "../name/name.tsx";
import { VerdictBar } from "../round/verdict-bar.tsx";
import { RelativeMoment } from "../shell/moment.tsx";
import { SignalLamps } from "../signals/signal-strip.tsx";

type Sort = "created" | "name" | "requests";
type Dir = "asc" | "desc";

interface SortProps {
  sort: Sort;
  dir: Dir;
  onSort: (sort: Sort, dir: Dir) => void;
}

function SortHeader({ column, label, sort, dir, onSort }: SortProps & { column: Sort; label: string }) {
  const isActive = sort === column;
  const next: Dir = isActive && dir === "desc" ? "asc" : "desc";
  return (
    <Table.Th aria-sort={isActive ? (dir === "asc" ? "ascending" : "descending") : "none"}>
      <UnstyledButton fw={700} fz="sm" onClick={() => onSort(column, next)}>
        {label} {isActive ? (dir === "asc" ? "↑" : "↓") : ""}
      </UnstyledButton>
    </Table.Th>
  );
}

/** What stands where a round that is not done has no lamps. */
function StateNote({ round }: { round: RoundListItem }) {
  if (round.state === "running" || round.state === "waiting")
    return (
      <Text size="sm">
        {round.state}
        {round.progress === null ? "" : `: ${round.progress.phase}`}
      </Text>
    );
  return (
    <Text size="sm" c="var(--unwell)">
      {round.state}: {round.problem?.message ?? "no reason known"}
    </Text>
  );
}

function RoundRow({ round }: { round: RoundListItem }) {
  const { summary } = round;
  return (
    <Table.Tr>
      <Table.Td>
        <Group gap="xs">
          <Anchor component={Link} href={`/rounds/${round.id}`} fw={600}>
            <Name value={round.name} max={60} />
          </Anchor>
          {summary?.board.false_green && (
            <Badge variant="filled" radius="sm" style={{ background: "#9c1c10", color: "#fff" }}>
              False green
            </Badge>
          )}
        </Group>
      </Table.Td>
      <Table.Td>
        <RelativeMoment at_ms={round.created_at_ms} />
      </Table.Td>
      {summary === null ? (
        <Table.Td colSpan={6}>
          <StateNote round={round} />
        </Table.Td>
      ) : (
        <>
          <Table.Td ta="right">{formatCount(summary.requests)}</Table.Td>
          <Table.Td ta="right">{formatCount(summary.tenants)}</Table.Td>
          <Table.Td ta="right">{formatSpan(summary.span_ms)}</Table.Td>
          <Table.Td>
            <SignalLamps board={summary.board} />
          </Table.Td>
          <Table.Td>
            <VerdictBar counts={summary.counts} />
          </Table.Td>
          <Table.Td ta="right">{formatCount(summary.counts.reserve_breached)}</Table.Td>
        </>
      )}
    </Table.Tr>
  );
}

/** The list as a table; on a narrow screen it scrolls by itself. */
export function RoundTable({ rows, ...sorting }: { rows: RoundListItem[] } & SortProps) {
  return (
    <section className="scroll-region" tabIndex={0} aria-label="Rounds">
      <Table highlightOnHover miw={900} verticalSpacing={6}>
        <Table.Thead>
          <Table.Tr>
            <SortHeader column="name" label="Round" {...sorting} />
            <SortHeader column="created" label="Started" {...sorting} />
            <SortHeader column="requests" label="Requests" {...sorting} />
            <Table.Th>Tenants</Table.Th>
            <Table.Th>Span</Table.Th>
            <Table.Th>Signals</Table.Th>
            <Table.Th>Verdicts</Table.Th>
            <Table.Th>Breaches</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((round) => (
            <RoundRow key={round.id} round={round} />
          ))}
        </Table.Tbody>
      </Table>
    </section>
  );
}
