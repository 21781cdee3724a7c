"use client";

import { Button, Group, NativeSelect, Stack, Text, TextInput } from "@mantine/core";
import { type FormEvent, useMemo } from "react";
import type { DecisionRow } from "../../contract/round-view.ts";
import { VERDICTS } from "../../contract/verdicts.ts";
import { ExportLinks } from "../export/export-links.tsx";
import { formatCount, formatTokens } from "../format/format.ts";
import { Name } from "../name/name.tsx";
import { LiveControls } from "../shell/live-controls.tsx";
import { type ChangedParams, useSearchChange } from "../shell/use-search-change.ts";
import { JumpField } from "./jump-field.tsx";
import { LazyDecisionPanel, LazyTable } from "./lazy-table.tsx";
import { requestColumn, tenantColumn } from "./request-columns.tsx";
import { type LogClock, useRoundClock } from "./round-clock.tsx";
import { useOpened } from "./use-opened.ts";
import { VerdictText } from "./verdict-text.tsx";
import type { Column } from "./virtual-table.tsx";

interface DispatchQuery {
  verdict?: string | undefined;
  tenant: string;
  search: string;
  req: string;
  sort: string;
}

const ORDERS = [
  { value: "dispatch", label: "Order of dispatch" },
  { value: "file", label: "Order of the file" },
  { value: "wait", label: "Wait" },
];

/** How large a round is: so wide are the columns of its numbers. */
interface Size {
  requests: number;
  span_ms: number;
}

const keyOf = ({ req_id }: DecisionRow) => req_id;

/** How far a request moved from its place in the file; null for one that is not dispatched. */
function moved({ dispatch_position, file_position }: DecisionRow): string {
  if (dispatch_position === null) return "not dispatched";
  const by = dispatch_position - file_position;
  if (by === 0) return "stayed";
  return by < 0 ? `↑ ${formatCount(-by)}` : `↓ ${formatCount(by)}`;
}

/** A column that no number up to the largest is cut off in; a digit is less than 0.6 of its height. */
const widthFor = (largest: string, least_rem: number): string =>
  `${Math.max(least_rem, 0.52 * largest.length + 0.5)}rem`;

/** When a request arrived: by the log's clock where it has one, since that is what other logs are held against. */
function arrivalColumn(span_ms: number, clock: LogClock | null): Column<DecisionRow> {
  if (clock === null)
    return {
      title: "Arrival",
      width: widthFor(`${formatCount(span_ms)} ms`, 5),
      align: "right",
      cell: (row) => `${formatCount(row.arrival_ms)} ms`,
    };
  return {
    title: clock.title,
    width: clock.width,
    align: "right",
    cell: (row) => <span title={`${formatCount(row.arrival_ms)} ms`}>{clock.cell(row.arrival_ms)}</span>,
  };
}

function columnsFor(
  basePath: string,
  { requests, span_ms }: Size,
  clock: LogClock | null,
  onOpen: (row: DecisionRow) => void,
): Column<DecisionRow>[] {
  return [
    {
      title: "Place",
      width: widthFor(formatCount(requests), 3.5),
      align: "right",
      cell: (row) => (row.dispatch_position === null ? "–" : formatCount(row.dispatch_position + 1)),
    },
    // Which request and what became of it: seen without scrolling on a narrow screen too.
    requestColumn(basePath, "minmax(7.5rem, 1.4fr)"),
    { title: "Verdict", width: "6.5rem", cell: (row) => <VerdictText verdict={row.verdict} /> },
    {
      title: "In the file",
      width: widthFor(formatCount(requests), 5),
      align: "right",
      cell: (row) => formatCount(row.file_position + 1),
    },
    { title: "Moved", width: "6.5rem", cell: moved },
    tenantColumn("minmax(6.5rem, 1.2fr)"),
    { title: "Rank", width: "3rem", align: "right", cell: (row) => row.tier_rank ?? "–" },
    arrivalColumn(span_ms, clock),
    { title: "Cost", width: "6rem", align: "right", cell: (row) => formatTokens(row.cost) },
    { title: "Mode", width: "3.5rem", cell: (row) => row.mode },
    {
      title: "Reason",
      width: "minmax(8.25rem, 1fr)",
      cell: (row) =>
        `${row.reserve_breached ? "reserve breached" : (row.reason ?? "")}${row.depends_on_start === true ? " ◐ depends on the start" : ""}`,
    },
    {
      title: "Wait",
      width: "6.5rem",
      align: "right",
      cell: (row) => (row.wait_ms === null ? "none" : `${formatCount(row.wait_ms)} ms`),
    },
    {
      title: "Why",
      width: "4.5rem",
      cell: (row) => (
        <Button size="compact-xs" variant="default" onClick={() => onOpen(row)}>
          Open
        </Button>
      ),
    },
  ];
}

/** The order of dispatch beside that of the file, for any number of requests. */
export function DispatchView({
  apiPath,
  basePath,
  size,
  query,
  isKnown,
  target,
  opened: given,
}: {
  apiPath: string;
  basePath: string;
  size: Size;
  query: DispatchQuery;
  /** Whether the round has the request of the link. */
  isKnown: boolean;
  /** Where it stands in this list; null: it is none of it. */
  target: number | null;
  /** The decision that the link opens. */
  opened: DecisionRow | null;
}) {
  const { go } = useSearchChange();
  const { opened, open, close } = useOpened(given, keyOf);
  const clock = useRoundClock();
  const columns = useMemo(() => columnsFor(basePath, size, clock, open), [basePath, size, clock, open]);
  const params = new URLSearchParams();
  for (const key of ["verdict", "tenant", "search", "sort"] as const)
    if (query[key]) params.set(key, query[key]);
  const change = (changed: ChangedParams) => go({ req: "", open: "", ...changed });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    change({ search: String(form.get("search") ?? ""), tenant: String(form.get("tenant") ?? "") });
  };
  const isFiltered = params.has("verdict") || params.has("tenant") || params.has("search");
  return (
    <LiveControls>
      <Stack gap="sm">
        <Group component="form" role="search" onSubmit={submit as never} align="flex-end" gap="sm">
          <TextInput
            name="search"
            label="Request id"
            defaultValue={query.search}
            placeholder="Part of an id"
          />
          <TextInput name="tenant" label="Tenant, exactly" defaultValue={query.tenant} />
          <Button type="submit" variant="default">
            Filter
          </Button>
          <JumpField value={query.req} onJump={(req) => change({ req })} />
          <NativeSelect
            label="Verdict"
            data={[{ value: "", label: "Any" }, ...VERDICTS]}
            value={query.verdict ?? ""}
            onChange={(event) => change({ verdict: event.currentTarget.value })}
          />
          <NativeSelect
            label="Sort by"
            data={ORDERS}
            value={query.sort}
            onChange={(event) => change({ sort: event.currentTarget.value })}
          />
        </Group>
        <ExportLinks path={`${apiPath}/export/decisions`} params={params} />
        {query.req !== "" && target === null && (
          <Text c="var(--unwell)">
            {isKnown ? "The filter hides request" : "No request"} <Name value={query.req} max={60} />
            {isKnown ? "." : " in this round."}
          </Text>
        )}
        <LazyTable
          key={params.toString()}
          label="Decisions"
          path={`${apiPath}/decisions`}
          params={params}
          columns={columns}
          target={target}
          empty={isFiltered ? "No request matches this filter." : "The stream holds no request."}
          onOpen={open}
        />
        {opened !== null && (
          <LazyDecisionPanel
            key={opened.req_id}
            row={opened}
            apiPath={apiPath}
            basePath={basePath}
            onClose={close}
          />
        )}
      </Stack>
    </LiveControls>
  );
}
