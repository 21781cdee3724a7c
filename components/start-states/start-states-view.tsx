"use client";

import { Alert, Button, Group, Stack, Table, Text, Title } from "@mantine/core";
import { useMemo } from "react";
import type { SideDecision } from "../../contract/comparison.ts";
import type { Page } from "../../contract/round-view.ts";
import type { StartStateRow, StartStates, StartStateTenant } from "../../contract/start-states.ts";
import type { StudyItem } from "../../contract/study.ts";
import { counted, formatCount, formatSpan } from "../format/format.ts";
import { Name } from "../name/name.tsx";
import { LazyTable } from "../round/lazy-table.tsx";
import { requestColumn, tenantColumn } from "../round/request-columns.tsx";
import { VerdictText } from "../round/verdict-text.tsx";
import type { Column } from "../round/virtual-table.tsx";
import { LiveControls } from "../shell/live-controls.tsx";
import { NotDone, type Told, useTold } from "../shell/told.tsx";
import { StudyState } from "../study/study-state.tsx";

function Said({ side }: { side: SideDecision }) {
  const wait =
    side.verdict === "accepted" || side.wait_ms === null ? "" : `, ${formatCount(side.wait_ms)} ms`;
  return (
    <>
      <VerdictText verdict={side.verdict} />
      {wait}
      {side.reserve_breached ? ", breach" : ""}
    </>
  );
}

function columnsFor(basePath: string): Column<StartStateRow>[] {
  return [
    requestColumn(basePath, "minmax(9rem, 1.2fr)"),
    tenantColumn("minmax(8rem, 1fr)"),
    { title: "Arrival", width: "8rem", align: "right", cell: (row) => `${formatCount(row.arrival_ms)} ms` },
    {
      title: "As the policy states",
      width: "minmax(12rem, 1.2fr)",
      cell: (row) => <Said side={row.stated} />,
    },
    { title: "From full", width: "minmax(12rem, 1.2fr)", cell: (row) => <Said side={row.full} /> },
    { title: "From empty", width: "minmax(12rem, 1.2fr)", cell: (row) => <Said side={row.empty} /> },
  ];
}

/** What it comes to, in one sentence. */
export function startSentence({ requests, depends, flips }: StartStates): string {
  if (requests === 0) return "No request is decided by a bucket: nothing depends on the start.";
  if (depends === 0)
    return `All ${counted(requests, "decision")} are the same from full, from empty, and as the policy states.`;
  return `${counted(depends, "decision depends", "decisions depend")} on how full the buckets were at the start, of ${formatCount(requests)}; ${formatCount(flips)} with another verdict.`;
}

function CountsTable({ counts }: { counts: StartStates["counts"] }) {
  const fields = ["accepted", "queued", "rejected", "reserve_breached"] as const;
  return (
    <section className="scroll-region" tabIndex={0} aria-label="Counts by start">
      <Table miw={420} verticalSpacing={4} maw={720}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Count</Table.Th>
            <Table.Th ta="right">As stated</Table.Th>
            <Table.Th ta="right">From full</Table.Th>
            <Table.Th ta="right">From empty</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {fields.map((field) => (
            <Table.Tr key={field}>
              <Table.Td>{field}</Table.Td>
              <Table.Td ta="right">{formatCount(counts.stated[field])}</Table.Td>
              <Table.Td ta="right">{formatCount(counts.full[field])}</Table.Td>
              <Table.Td ta="right">{formatCount(counts.empty[field])}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </section>
  );
}

function TenantList({ tenants }: { tenants: Page<StartStateTenant> }) {
  if (tenants.total === 0) return null;
  return (
    <section className="scroll-region" tabIndex={0} aria-label="Tenants that depend on the start">
      <Table miw={560} verticalSpacing={4}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Tenant</Table.Th>
            <Table.Th ta="right">Requests</Table.Th>
            <Table.Th ta="right">Depend on the start</Table.Th>
            <Table.Th ta="right">Another verdict</Table.Th>
            <Table.Th ta="right">The last at</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {tenants.rows.map((row) => (
            <Table.Tr key={row.tenant}>
              <Table.Td>
                <Name value={row.tenant} />
              </Table.Td>
              <Table.Td ta="right">{formatCount(row.requests)}</Table.Td>
              <Table.Td ta="right">{formatCount(row.depends)}</Table.Td>
              <Table.Td ta="right">{formatCount(row.flips)}</Table.Td>
              <Table.Td ta="right">{row.last_ms === null ? "–" : formatSpan(row.last_ms)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      {tenants.total > tenants.rows.length && (
        <Text size="sm">
          and {formatCount(tenants.total - tenants.rows.length)} more, with fewer such decisions
        </Text>
      )}
    </section>
  );
}

function Findings({
  found,
  tenants,
  basePath,
  apiPath,
}: {
  found: StartStates;
  tenants: Page<StartStateTenant>;
  basePath: string;
  apiPath: string;
}) {
  const columns = useMemo(() => columnsFor(basePath), [basePath]);
  const isAgreed = found.agreed.full && found.agreed.empty;
  return (
    <Stack gap="md">
      <Text size="lg" fw={600}>
        {startSentence(found)}
      </Text>
      {isAgreed ? (
        <Text size="sm">The reference, on its own, decides both starts in the same way.</Text>
      ) : (
        <Alert color="red" title="The reference does not agree">
          It decides {found.agreed.full ? "" : "the full start "}
          {found.agreed.empty ? "" : "the empty start "}otherwise: what stands here is not to be relied on.
        </Alert>
      )}
      <CountsTable counts={found.counts} />
      <TenantList tenants={tenants} />
      <LazyTable
        label="Decisions that depend on the start"
        path={`${apiPath}/start-states`}
        params={new URLSearchParams()}
        columns={columns}
        empty="No decision is otherwise from full or from empty buckets."
      />
    </Stack>
  );
}

/** A round from full and from empty buckets, on request: which of its decisions hang on how it began. */
export function StartStatesView({
  study,
  tenants,
  basePath,
  apiPath,
  start,
  cancel,
}: {
  study: StudyItem<StartStates> | null;
  tenants: Page<StartStateTenant>;
  basePath: string;
  apiPath: string;
  start: () => Promise<Told>;
  cancel: (id: string) => Promise<Told>;
}) {
  const starting = useTold();
  const isOver = study?.state === "failed" || study?.state === "cancelled";
  return (
    <LiveControls>
      <Stack gap="md">
        <Title order={2} size="h3">
          Start states
        </Title>
        <Text size="sm" maw={800}>
          A cut-out of traffic does not know how full the buckets were where it begins. The round is decided
          again, by the contract's rules, with every bucket full and with every bucket empty; a decision that
          is not the same in both, and as the policy states, depends on the start. Starts in between are not
          tried.
        </Text>
        {study !== null && study.result === null && (
          <StudyState study={study} cancel={cancel.bind(null, study.id)} />
        )}
        {(study === null || isOver) && (
          <Group>
            <Button loading={starting.isBusy} onClick={() => starting.ask(start)}>
              Decide from full and from empty
            </Button>
          </Group>
        )}
        <NotDone problem={starting.problem} />
        {study?.result != null && (
          <Findings found={study.result} tenants={tenants} basePath={basePath} apiPath={apiPath} />
        )}
      </Stack>
    </LiveControls>
  );
}
