"use client";

import { Anchor, Badge, Box, Checkbox, Group, Stack, Table, Text, UnstyledButton } from "@mantine/core";
import { IconFileAlert } from "@tabler/icons-react";
import Link from "next/link";
import type { ListedSeal, RoundCard, RoundListRow } from "../../contract/round-view.ts";
import { counted, formatCount, formatSpan } from "../format/format.ts";
import { Name } from "../name/name.tsx";
import { visibleName } from "../name/visible-name.ts";
import { BesideReference } from "../round/beside-reference.tsx";
import { VerdictBar } from "../round/verdict-bar.tsx";
import { RelativeMoment } from "../shell/moment.tsx";
import { SignalLamps } from "../signals/signal-strip.tsx";
import type { Chosen } from "./selection-bar.tsx";

type Sort = "created" | "name" | "requests";
type Dir = "asc" | "desc";

interface SortProps {
  sort: Sort;
  dir: Dir;
  onSort: (sort: Sort, dir: Dir) => void;
}

interface ChoiceProps {
  chosen: Chosen;
  onChoose: (ids: ReadonlySet<string>) => void;
}

const DIGEST_SHOWN = 8;

function SortHeader({
  column,
  label,
  isNumber = false,
  sort,
  dir,
  onSort,
}: SortProps & { column: Sort; label: string; isNumber?: boolean }) {
  const isActive = sort === column;
  const next: Dir = isActive && dir === "desc" ? "asc" : "desc";
  return (
    <Table.Th
      ta={isNumber ? "right" : "left"}
      aria-sort={isActive ? (dir === "asc" ? "ascending" : "descending") : "none"}
    >
      <UnstyledButton fw={700} fz="sm" onClick={() => onSort(column, next)}>
        {label} {isActive ? (dir === "asc" ? "↑" : "↓") : ""}
      </UnstyledButton>
    </Table.Th>
  );
}

/** What stands where a round that is not done has no lamps. */
function StateNote({ round: { state, progress, message, seal } }: { round: RoundListRow }) {
  if (state === "running" || state === "waiting") {
    const share = progress?.total ? ` ${Math.floor((100 * progress.done) / progress.total)} %` : "";
    return (
      <Text size="sm">
        {state}
        {progress === null ? "" : `: ${progress.phase}${share}`}
      </Text>
    );
  }
  if (seal.state === "broken")
    return (
      <Group gap="xs" wrap="nowrap" align="flex-start">
        <IconFileAlert size={18} color="var(--unwell)" aria-hidden style={{ flexShrink: 0 }} />
        <Text size="sm" c="var(--unwell)">
          <b>Not what was judged: open it.</b>{" "}
          {seal.sentence === null ? "" : `${seal.sentence.charAt(0).toUpperCase()}${seal.sentence.slice(1)}.`}
        </Text>
      </Group>
    );
  return (
    <Text size="sm" c="var(--unwell)" lineClamp={2}>
      {state}: {message ?? "no reason known"}
    </Text>
  );
}

/** That nothing is known of a round's files, where what stands there is only what was found when it ended. */
function UnreadNote({ seal }: { seal: ListedSeal }) {
  if (seal.state !== "unread" && seal.state !== "reading") return null;
  return (
    <Text size="xs" c="dimmed">
      {seal.state === "reading"
        ? "its files are being read"
        : "its files were not read since the server started: opening it has them read"}
    </Text>
  );
}

/** Five lamps are well about nothing where hardly a request met a limit. */
function NothingShown({ card: { requests, unknown_requests = 0 } }: { card: RoundCard }) {
  if (requests > 0 && 2 * unknown_requests < requests) return null;
  return (
    <Text size="xs" c="var(--queued)">
      {requests === 0
        ? "no request was decided"
        : `${unknown_requests === requests ? "all" : formatCount(unknown_requests)} rejected as unknown_tenant`}
    </Text>
  );
}

function RoundName({ round }: { round: RoundListRow }) {
  const { id, name, audit, card, faults, removed_at_ms, stream_name, stream_sha256 } = round;
  return (
    <Stack gap={0}>
      <Group gap="xs">
        {removed_at_ms === null ? (
          <Anchor component={Link} href={`/rounds/${id}`} fw={600} prefetch={false}>
            <Name isLinked value={name} max={60} />
          </Anchor>
        ) : (
          <Name value={name} max={60} />
        )}
        {audit && (
          <Badge variant="outline" radius="sm">
            Audit
          </Badge>
        )}
        {card?.board.false_green && (
          <Badge variant="filled" radius="sm" style={{ background: "#9c1c10", color: "#fff" }}>
            False green
          </Badge>
        )}
        {card !== null && <NothingShown card={card} />}
        {faults > 0 && (
          <Text size="xs" c="dimmed">
            {counted(faults, "fault")} injected
          </Text>
        )}
        <UnreadNote seal={round.seal} />
      </Group>
      {/* On a narrow screen the column of lamps, or of why there are none, lies beyond the edge. */}
      <Box hiddenFrom="sm" my={4}>
        {card === null ? <StateNote round={round} /> : <SignalLamps board={card.board} />}
      </Box>
      <Text size="xs" c="dimmed">
        {stream_name === name ? "" : <Name value={stream_name} max={40} />}{" "}
        <Anchor
          component={Link}
          href={`/rounds?stream=${stream_sha256}`}
          c="dimmed"
          prefetch={false}
          // As high as a finger needs between the links of two lines (WCAG 2.5.8).
          style={{ display: "inline-block", lineHeight: "24px" }}
          aria-label={`Rounds of the stream with SHA-256 ${stream_sha256.slice(0, DIGEST_SHOWN)}`}
        >
          {stream_sha256.slice(0, DIGEST_SHOWN)}
        </Anchor>
      </Text>
    </Stack>
  );
}

function RoundRow({
  round,
  isChosen,
  onToggle,
}: {
  round: RoundListRow;
  isChosen: boolean;
  onToggle: () => void;
}) {
  const { card, removed_at_ms } = round;
  return (
    <Table.Tr
      {...(isChosen ? { style: { boxShadow: "inset 4px 0 var(--mantine-primary-color-filled)" } } : {})}
    >
      <Table.Td>
        <Checkbox
          size="xs"
          aria-label={`Choose ${visibleName(round.name)}`}
          checked={isChosen}
          onChange={onToggle}
        />
      </Table.Td>
      <Table.Td miw="min(14rem, 48vw)">
        <RoundName round={round} />
      </Table.Td>
      <Table.Td>
        <RelativeMoment at_ms={round.created_at_ms} />
        {removed_at_ms !== null && (
          <Text size="xs">
            removed <RelativeMoment at_ms={removed_at_ms} />
          </Text>
        )}
      </Table.Td>
      {card === null ? (
        <Table.Td colSpan={6}>
          <StateNote round={round} />
        </Table.Td>
      ) : (
        <>
          <Table.Td ta="right">{formatCount(card.requests)}</Table.Td>
          <Table.Td ta="right">{formatCount(card.tenants)}</Table.Td>
          <Table.Td ta="right" style={{ whiteSpace: "nowrap" }}>
            {formatSpan(card.span_ms)}
          </Table.Td>
          <Table.Td>
            <SignalLamps board={card.board} />
          </Table.Td>
          <Table.Td>
            <VerdictBar counts={card.counts} />
          </Table.Td>
          <Table.Td ta="right">
            <BesideReference reported={card.counts.reserve_breached} expected={card.reference_breached} />
          </Table.Td>
        </>
      )}
    </Table.Tr>
  );
}

function toggled(ids: ReadonlySet<string>, id: string): ReadonlySet<string> {
  const next = new Set(ids);
  if (!next.delete(id)) next.add(id);
  return next;
}

/** The list as a table; on a narrow screen it scrolls by itself. */
export function RoundTable({
  rows,
  chosen,
  onChoose,
  ...sorting
}: { rows: RoundListRow[] } & SortProps & ChoiceProps) {
  const isAll = chosen.allMatching || rows.every(({ id }) => chosen.ids.has(id));
  const isSome = !isAll && chosen.ids.size > 0;
  return (
    <section className="scroll-region sticky-head" tabIndex={0} aria-label="Rounds">
      <Table highlightOnHover miw={960} verticalSpacing={6}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th w={36}>
              <Checkbox
                size="xs"
                aria-label="Choose all rounds on this page"
                checked={isAll}
                indeterminate={isSome}
                onChange={() => onChoose(new Set(isAll ? [] : rows.map(({ id }) => id)))}
              />
            </Table.Th>
            <SortHeader column="name" label="Round" {...sorting} />
            <SortHeader column="created" label="Started" {...sorting} />
            <SortHeader column="requests" label="Requests" isNumber {...sorting} />
            <Table.Th ta="right">Tenants</Table.Th>
            <Table.Th ta="right">Span</Table.Th>
            <Table.Th>Signals</Table.Th>
            <Table.Th>Verdicts</Table.Th>
            <Table.Th ta="right">Breaches</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((round) => (
            <RoundRow
              key={round.id}
              round={round}
              isChosen={chosen.allMatching || chosen.ids.has(round.id)}
              onToggle={() => onChoose(toggled(chosen.ids, round.id))}
            />
          ))}
        </Table.Tbody>
      </Table>
    </section>
  );
}
