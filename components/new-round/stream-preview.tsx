"use client";

import { Table, Text } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import type { InputProblem } from "../../contract/input.ts";
import type { PreviewRow } from "../../contract/mapping.ts";
import { counted, formatCount } from "../format/format.ts";
import { shortStamp } from "../format/short-stamp.ts";
import { formatMoment, UTC } from "../format/zoned-time.ts";
import { Name } from "../name/name.tsx";
import { useZone } from "../shell/time-zone.tsx";

/** A moment of the log: whole and exact in UTC, in another zone to the second on its clock. */
const arrived = (stamp: string, zone: string): string =>
  zone === UTC ? shortStamp(stamp) : formatMoment(Date.parse(stamp), zone);

function Row({ row }: { row: PreviewRow }) {
  const { line, text, outcome } = row;
  const zone = useZone();
  const number = <Table.Td ta="right">{formatCount(line)}</Table.Td>;
  if (!outcome.ok)
    return (
      <Table.Tr>
        {number}
        <Table.Td colSpan={5}>
          <Text size="sm" c="var(--unwell)">
            <IconAlertTriangle size={14} aria-hidden /> Problem
            {outcome.field === "" ? "" : ` of the ${outcome.field}`}:{" "}
            <Name value={outcome.reason} max={200} />
          </Text>
          <Name value={text} max={120} />
        </Table.Td>
      </Table.Tr>
    );
  return (
    <Table.Tr>
      {number}
      <Table.Td>
        <Name value={outcome.tenant} />
      </Table.Td>
      <Table.Td style={{ whiteSpace: "nowrap" }}>{arrived(outcome.arrived_at, zone)}</Table.Td>
      <Table.Td ta="right">{outcome.cost}</Table.Td>
      <Table.Td>{outcome.mode}</Table.Td>
      <Table.Td>
        <Name value={outcome.req_id} />
      </Table.Td>
    </Table.Tr>
  );
}

/** In a region that scrolls sideways where it is narrow; what is said of the rows stays in view above it. */
function FirstRows({ rows }: { rows: PreviewRow[] }) {
  const zone = useZone();
  const bad = rows.filter(({ outcome }) => !outcome.ok).length;
  return (
    <>
      <Text size="sm" c="dimmed">
        The first {counted(rows.length, "row")} as they come out
        {bad === 0 ? "" : `; ${counted(bad, "is a problem", "are problems")}`}
      </Text>
      <section className="scroll-region" tabIndex={0} aria-label="First rows under this mapping">
        <Table withRowBorders={false} verticalSpacing={2} fz="sm">
          <Table.Thead>
            <Table.Tr>
              <Table.Th ta="right">Line</Table.Th>
              <Table.Th>Tenant</Table.Th>
              <Table.Th>Arrived ({zone})</Table.Th>
              <Table.Th ta="right">Cost</Table.Th>
              <Table.Th>Mode</Table.Th>
              <Table.Th>Id</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows.map((row) => (
              <Row key={row.line} row={row} />
            ))}
          </Table.Tbody>
        </Table>
      </section>
    </>
  );
}

/** The first lines of a log as requests, or as the problems they are. */
export function StreamPreview({
  judged,
}: {
  judged: { rows: PreviewRow[]; problems: InputProblem[] } | null;
}) {
  if (judged === null)
    return (
      <Text size="sm" c="dimmed" aria-live="polite">
        Reading the first lines under this mapping…
      </Text>
    );
  if (judged.problems.length > 0) {
    const [first] = judged.problems;
    return (
      <Text size="sm" c="var(--unwell)" role="alert">
        The mapping is not whole yet: {first?.path === "" ? "" : `${first?.path} `}
        {first?.message}
      </Text>
    );
  }
  return <FirstRows rows={judged.rows} />;
}
