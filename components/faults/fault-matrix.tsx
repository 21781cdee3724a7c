"use client";

import { Anchor, Button, Stack, Table, Text } from "@mantine/core";
import Link from "next/link";
import type { FaultRow, FaultStudy } from "../../contract/fault-study.ts";
import { SIGNALS, type SignalName } from "../../contract/signals.ts";
import { formatCount } from "../format/format.ts";
import { Name } from "../name/name.tsx";
import { ToldForm } from "../shell/told.tsx";
import { SIGNAL_TITLES } from "../signals/signal-look.ts";
import { FaultRowCells } from "./fault-row-cells.tsx";
import { FaultSignal } from "./fault-signal.tsx";
import type { RowActions } from "./row-actions.ts";

function FirstPlace({ row, actions }: { row: FaultRow; actions: RowActions }) {
  const made = actions.made.find((round) => round.row === row.id && round.over === "stream");
  const { first } = row;
  return (
    <Stack gap={2} align="flex-start">
      {first === null ? (
        <Text size="sm">no field</Text>
      ) : (
        <Text size="sm">
          <Name value={first.path} max={44} />: <Name value={first.reported ?? "nothing"} max={24} />,
          expected <Name value={first.expected ?? "nothing"} max={24} />
        </Text>
      )}
      {row.id === "fail-open" ? null : made === undefined ? (
        <ToldForm action={actions.openRound.bind(null, row.id, "stream")}>
          <Button type="submit" size="compact-xs" variant="default">
            Open the diff
          </Button>
        </ToldForm>
      ) : (
        <Anchor
          component={Link}
          size="sm"
          prefetch={false}
          href={`/rounds/${made.round_id}/diff${first === null ? "" : `?section=${first.section}`}`}
        >
          Open the diff
        </Anchor>
      )}
    </Stack>
  );
}

/** How many of the shown faults each signal caught. */
function Tally({ rows }: { rows: FaultRow[] }) {
  const caught = (name: SignalName) => {
    const isNotWell = ({ signals }: FaultRow) =>
      signals.some((signal) => signal.name === name && signal.claim !== "well");
    return `${formatCount(rows.filter(isNotWell).length)} of ${formatCount(rows.length)}`;
  };
  return (
    <Table.Tfoot>
      <Table.Tr>
        <Table.Th scope="row">
          Not well on
          {SIGNALS.map((name) => (
            <Text key={name} size="xs" fw={400} hiddenFrom="sm">
              {SIGNAL_TITLES[name]}: {caught(name)}
            </Text>
          ))}
        </Table.Th>
        {SIGNALS.map((name) => (
          <Table.Td key={name} visibleFrom="sm">
            {caught(name)}
          </Table.Td>
        ))}
        <Table.Td colSpan={3} />
      </Table.Tr>
    </Table.Tfoot>
  );
}

/** Faults that changed something on the stream, against the five signals. */
export function FaultMatrix({ study, actions }: { study: FaultStudy; actions: RowActions }) {
  const rows = study.rows.filter(({ shows }) => shows);
  if (rows.length === 0)
    return <Text>No fault changes anything on this stream: it proves nothing of any signal.</Text>;
  return (
    <section className="scroll-region sticky-head" tabIndex={0} aria-label="Faults against signals">
      <Table miw={{ base: 860, sm: 1340 }} verticalSpacing={6} striped>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Fault</Table.Th>
            {SIGNALS.map((name) => (
              <Table.Th key={name} visibleFrom="sm">
                {SIGNAL_TITLES[name]}
              </Table.Th>
            ))}
            <Table.Th ta="right">Fields that differ</Table.Th>
            <Table.Th>First difference</Table.Th>
            <Table.Th>Smallest stream</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row) => (
            <Table.Tr key={row.id} data-fault={row.id} style={{ verticalAlign: "top" }}>
              <FaultRowCells row={row} text={row.note === "" ? row.summary : row.note} actions={actions}>
                {SIGNALS.map((name) => {
                  const signal = row.signals.find((candidate) => candidate.name === name);
                  return (
                    <Table.Td key={name} data-signal={name} visibleFrom="sm">
                      {signal !== undefined && <FaultSignal signal={signal} />}
                    </Table.Td>
                  );
                })}
                <Table.Td ta="right">{formatCount(row.differences)}</Table.Td>
                <Table.Td maw={320}>
                  <FirstPlace row={row} actions={actions} />
                </Table.Td>
              </FaultRowCells>
            </Table.Tr>
          ))}
        </Table.Tbody>
        <Tally rows={rows} />
      </Table>
    </section>
  );
}
