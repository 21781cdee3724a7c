"use client";

import { Group, NativeSelect, Paper, Progress, Skeleton, Stack, Table, Text, Title } from "@mantine/core";
import dynamic from "next/dynamic";
import { useState } from "react";
import type { GateServiceState, GateState } from "../../contract/gate-admin.ts";
import { GATE_REASONS } from "../../contract/gate-reasons.ts";
import { ClauseText } from "../clause/clause-text.tsx";
import { formatCount } from "../format/format.ts";
import { Name } from "../name/name.tsx";
import { LiveControls } from "../shell/live-controls.tsx";
import { ratesOf } from "./rate-series.ts";

// The chart says nothing that the table does not say too: it comes after the page, into a place kept for it.
const LazyRateChart = dynamic(() => import("./rate-chart.tsx").then((chart) => chart.RateChart), {
  ssr: false,
  loading: () => <Skeleton height={180} />,
});

/** What each denial was for (G3, G4, G6, G12). */
const REASON_TEXT = {
  rate: "no token left (G4)",
  capacity: "no room for a bucket (G6)",
  client: "no client address (G3)",
  unavailable: "the store did not answer (G12)",
};

const rate = (perSecond: number | undefined) =>
  perSecond === undefined ? "–" : `${Number(perSecond.toFixed(1))}/s`;

function RuleTable({ service, looks }: { service: GateServiceState; looks: readonly GateState[] }) {
  if (service.rules.length === 0)
    return <Text size="sm">No rules: every request of this service is let through.</Text>;
  return (
    <section className="scroll-region" tabIndex={0} aria-label={`Rules of ${service.name}`}>
      <Table verticalSpacing={4} miw={720}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Rule</Table.Th>
            <Table.Th>Path</Table.Th>
            <Table.Th>Limit</Table.Th>
            <Table.Th ta="right">Allowed</Table.Th>
            <Table.Th ta="right">Allowed now</Table.Th>
            <Table.Th ta="right">Denied by it</Table.Th>
            <Table.Th ta="right">Denied now</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {service.rules.map(({ id, path, requests, per, burst, allowed, denied }) => {
            const now = ratesOf(looks.slice(-2), service.name, id).at(-1);
            return (
              <Table.Tr key={id} data-rule={id}>
                <Table.Th scope="row" fw={400}>
                  <Name value={id} />
                  {/* On a narrow screen their columns lie beyond the edge. */}
                  <Text size="xs" hiddenFrom="sm">
                    allowed {formatCount(allowed)} ({rate(now?.allowed)}), denied {formatCount(denied)} (
                    {rate(now?.denied)})
                  </Text>
                </Table.Th>
                <Table.Td>{path === null ? "every path" : <Name value={path} />}</Table.Td>
                <Table.Td>
                  {formatCount(requests)} / {per}
                  {burst === requests ? "" : `, burst ${formatCount(burst)}`}
                </Table.Td>
                <Table.Td ta="right">{formatCount(allowed)}</Table.Td>
                <Table.Td ta="right">{rate(now?.allowed)}</Table.Td>
                <Table.Td ta="right">{formatCount(denied)}</Table.Td>
                <Table.Td ta="right">{rate(now?.denied)}</Table.Td>
              </Table.Tr>
            );
          })}
        </Table.Tbody>
      </Table>
    </section>
  );
}

function Denials({ denied, unchecked }: GateServiceState) {
  const some = GATE_REASONS.filter((reason) => denied[reason] > 0);
  return (
    <Stack gap={2}>
      <Text size="sm" fw={600}>
        Denied by reason
      </Text>
      {some.length === 0 && <Text size="sm">none since the gate started</Text>}
      {some.map((reason) => (
        <Text size="sm" key={reason}>
          {formatCount(denied[reason])} {reason}: <ClauseText text={REASON_TEXT[reason]} />
        </Text>
      ))}
      {unchecked > 0 && (
        <Text size="sm" c="var(--unwell)">
          {formatCount(unchecked)} let through unchecked: the store did not answer (G12)
        </Text>
      )}
    </Stack>
  );
}

function Buckets({ name, entries, max_entries, evictions, ledger, config }: GateServiceState) {
  if (entries === null || evictions === null || ledger === null)
    return <Text size="sm">Buckets are not known: the store could not be read.</Text>;
  const share = (100 * entries) / max_entries;
  return (
    <Stack gap={4} style={{ flex: "1 1 14rem", maxWidth: 420 }}>
      <Text size="sm" fw={600}>
        Buckets held
      </Text>
      <Progress
        value={Math.min(100, share)}
        aria-label={`Buckets of ${name} against the bound`}
        color={share > 90 ? "orange" : "blue"}
      />
      <Text size="sm">
        {formatCount(entries)} of {formatCount(max_entries)}; when full: {config.on_pressure}
      </Text>
      <Text size="sm">
        Forgotten: {formatCount(evictions.full)} full, {formatCount(evictions.lossy)} lossy
      </Text>
      <Text size="sm">Outstanding admissions: {formatCount(ledger.outstanding)}</Text>
    </Stack>
  );
}

/** A service of the live snapshot: its rules with what they did, its denials, its buckets. */
export function ServiceCard({ service, looks }: { service: GateServiceState; looks: readonly GateState[] }) {
  const [chosen, setChosen] = useState<string | null>(null);
  const rule = service.rules.find(({ id }) => id === chosen) ?? service.rules[0];
  const { config, name } = service;
  const samples = rule === undefined ? [] : ratesOf(looks, name, rule.id);
  return (
    <Paper component="section" withBorder p="md" aria-label={`Service ${name}`} data-service={name}>
      <Stack gap="sm">
        <Group gap="sm" justify="space-between">
          <Title order={2} size="h4">
            <Name value={name} />
          </Title>
          <Text size="sm">
            {config.auth === "off"
              ? "no credential asked for"
              : config.price === 0
                ? "free of charge"
                : `price ${formatCount(config.price)}`}
            {typeof config.auth === "object" ? `, ${config.auth.freebie} free requests` : ""}
          </Text>
        </Group>
        <RuleTable service={service} looks={looks} />
        {rule !== undefined && (
          <>
            <LiveControls>
              <NativeSelect
                label="Rate of"
                size="xs"
                maw={320}
                value={rule.id}
                data={service.rules.map(({ id }) => id)}
                onChange={(event) => setChosen(event.currentTarget.value)}
              />
            </LiveControls>
            {samples.length < 2 ? (
              <Stack h={180} justify="center">
                <Text size="sm" c="dimmed">
                  The chart begins with the third look at the gate, a few seconds from now.
                </Text>
              </Stack>
            ) : (
              <LazyRateChart samples={samples} label={`Requests a second under the rule ${rule.id}`} />
            )}
          </>
        )}
        <Group align="flex-start" gap="xl">
          <Buckets {...service} />
          <Denials {...service} />
        </Group>
      </Stack>
    </Paper>
  );
}
