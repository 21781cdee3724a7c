"use client";

import { Alert, Group, List, Stack, Table, Text, Title } from "@mantine/core";
import type { DryRunFlip, DryRunResult, DryRunVerdict, FlipCount } from "../../contract/gate-dry-run.ts";
import { counted, formatCount } from "../format/format.ts";
import { Name } from "../name/name.tsx";
import { Moment } from "../shell/moment.tsx";

const FLIPS_SHOWN = 50;
const CLIENTS_SHOWN = 20;

function CountTable({ counts, what }: { counts: readonly FlipCount[]; what: string }) {
  return (
    <section className="scroll-region" tabIndex={0} aria-label={`Flips by ${what.toLowerCase()}`}>
      <Table verticalSpacing={2} miw={420}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{what}</Table.Th>
            <Table.Th>Service</Table.Th>
            <Table.Th ta="right">Newly allowed</Table.Th>
            <Table.Th ta="right">Newly refused</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {counts.map(({ service, name, newly_allowed, newly_refused }) => (
            <Table.Tr key={JSON.stringify([service, name])}>
              <Table.Td>
                <Name value={name} max={40} />
              </Table.Td>
              <Table.Td>{service === null ? "none" : <Name value={service} />}</Table.Td>
              <Table.Td ta="right">{formatCount(newly_allowed)}</Table.Td>
              <Table.Td ta="right">{formatCount(newly_refused)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </section>
  );
}

function Verdict({ verdict, reason, denied_by }: DryRunVerdict) {
  return (
    <>
      {verdict}
      {denied_by.length > 0 ? " by " : reason === null ? "" : `: ${reason}`}
      {denied_by.length > 0 && <Name value={denied_by.join(", ")} max={40} />}
    </>
  );
}

function FlipTable({ flips }: { flips: readonly DryRunFlip[] }) {
  return (
    <section className="scroll-region" tabIndex={0} aria-label="First flips" style={{ maxHeight: "24rem" }}>
      <Table verticalSpacing={2} miw={860} stickyHeader>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>When</Table.Th>
            <Table.Th>Path</Table.Th>
            <Table.Th>Client</Table.Th>
            <Table.Th>Was</Table.Th>
            <Table.Th>Would be</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {flips.map((flip) => (
            <Table.Tr key={`${flip.file} ${flip.line}`}>
              <Table.Td style={{ whiteSpace: "nowrap" }}>
                <Moment at_ms={flip.at} />
              </Table.Td>
              <Table.Td>
                <Name value={flip.path} />
              </Table.Td>
              <Table.Td>
                {flip.client === null ? "no address" : <Name value={flip.client} max={16} />}
              </Table.Td>
              <Table.Td>
                <Verdict {...flip.before} />
              </Table.Td>
              <Table.Td>
                <Verdict {...flip.after} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </section>
  );
}

/** What the dry run rests on, and where it does not reach. */
function Caveats({ result }: { result: DryRunResult }) {
  const { unknown, opening, gaps } = result;
  if (unknown === 0 && opening === "known" && gaps.length === 0) return null;
  return (
    <Alert color="yellow" title="What this does not show">
      <List size="sm">
        {opening === "full" && (
          <List.Item>
            The stretch begins in the middle of the gate's life: on both sides, buckets are taken to be full
            there.
          </List.Item>
        )}
        {opening === "stated" && (
          <List.Item>
            The stretch begins in the middle of the gate's life: both sides begin with the balances that the
            gate itself states there, which nobody could check.
          </List.Item>
        )}
        {unknown > 0 && (
          <List.Item>
            {counted(unknown, "request")} would be limited as a client that the log does not hold; they are in
            no count.
          </List.Item>
        )}
        {gaps.map(({ file, line, message }) => (
          <List.Item key={`${file} ${line} ${message}`}>
            <Name value={file} max={60} />
            {line === null ? "" : `, line ${line}`}: {message}
          </List.Item>
        ))}
      </List>
    </Alert>
  );
}

/** What a configuration would have done to recorded traffic: flips by rule and client, both ways (G8). */
export function DryRunView({ result, files }: { result: DryRunResult; files: number }) {
  const { decisions, unknown, newly_allowed, newly_refused, otherwise, span } = result;
  const compared = decisions - unknown;
  return (
    <Stack gap="sm" role="region" aria-label="Dry run">
      <Title order={2} size="h4">
        Dry run
      </Title>
      {compared === 0 ? (
        <Text>No request could be compared: this shows nothing of the change.</Text>
      ) : (
        <Text>
          Of {counted(compared, "recorded request")} in {counted(files, "file")}, {formatCount(newly_allowed)}{" "}
          would newly be allowed and {formatCount(newly_refused)} newly refused; {formatCount(otherwise)}{" "}
          would be refused for another reason.
        </Text>
      )}
      {span !== null && (
        <Text size="sm" c="dimmed">
          <Moment at_ms={span.from} /> to <Moment at_ms={span.to} />
        </Text>
      )}
      <Caveats result={result} />
      {result.rules.length > 0 && (
        <Group align="flex-start" gap="xl">
          <CountTable what="Rule" counts={result.rules} />
          <CountTable what="Client" counts={result.clients.slice(0, CLIENTS_SHOWN)} />
        </Group>
      )}
      {result.first.length > 0 && <FlipTable flips={result.first.slice(0, FLIPS_SHOWN)} />}
    </Stack>
  );
}
