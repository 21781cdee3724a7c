"use client";

import { Anchor, Button, Group, Stack, Table, Text } from "@mantine/core";
import Link from "next/link";
import { useState } from "react";
import type { Recheck } from "../../contract/recheck.ts";
import type { PlaceRow } from "../../contract/round-view.ts";
import { ClauseText } from "../clause/clause-text.tsx";
import { counted, formatCount } from "../format/format.ts";
import { Name } from "../name/name.tsx";
import { NoiseBadge } from "../round/noise-badge.tsx";
import { ResultText } from "../round/result-text.tsx";

/** Differences shown at once. */
const STEP = 25;
const LONGEST_VALUE = 48;

const shown = (json: string | null) =>
  json === null ? (
    <Text component="span" size="sm" c="dimmed">
      nothing
    </Text>
  ) : (
    <Name value={json} max={LONGEST_VALUE} />
  );

function hrefOf(diffPath: string, { section, position, subject }: PlaceRow): string {
  const params = new URLSearchParams({ section, place: String(position) });
  if (subject !== "") params.set("subject", subject);
  return `${diffPath}?${params}`;
}

function DifferenceRow({ row, title, diffPath }: { row: PlaceRow; title: string; diffPath: string | null }) {
  return (
    <Table.Tr>
      <Table.Td>
        {diffPath === null ? (
          <Name value={row.path} max={64} />
        ) : (
          <Anchor component={Link} href={hrefOf(diffPath, row)} size="sm" prefetch={false}>
            <Name isLinked value={row.path} max={64} />
          </Anchor>
        )}
      </Table.Td>
      <Table.Td>{row.subject === "" ? "" : <Name value={row.subject} max={32} />}</Table.Td>
      <Table.Td>{shown(row.reported)}</Table.Td>
      <Table.Td>{shown(row.expected)}</Table.Td>
      <Table.Td>
        <ResultText result={row.result} /> {row.noise !== null && <NoiseBadge why={row.noise} />}
        {row.noise !== null && (
          <Text size="xs" c="dimmed" maw={420}>
            {row.noise}
          </Text>
        )}
      </Table.Td>
      <Table.Td>
        <ClauseText text={row.clause} />
      </Table.Td>
      <Table.Td>{title}</Table.Td>
    </Table.Tr>
  );
}

/** Sections with what does not match in each, in words. */
function kinds({ counts }: Extract<Recheck, { requests: number }>): string {
  return counts
    .filter(({ result }) => result === "mismatch" || result === "indeterminate")
    .map(({ section, result, count }) => `${section}: ${formatCount(count)} ${result}`)
    .join(", ");
}

/** The first differences that were found here, a window at a time; none where all agree. */
export function DifferenceTable({
  recheck,
  diffPath,
}: {
  recheck: Extract<Recheck, { requests: number }>;
  diffPath: string | null;
}) {
  const [most, setMost] = useState(STEP);
  const { differences, found, table } = recheck;
  if (differences.length === 0) return null;
  const titles = new Map(table.map(({ check, title }) => [check, title]));
  const total = found.mismatches + found.indeterminate;
  const rows = differences.slice(0, most);
  const noise = differences.filter((row) => row.noise !== null).length;
  return (
    <Stack gap={4}>
      <Text size="sm">By section: {kinds(recheck)}.</Text>
      <section
        className="scroll-region"
        tabIndex={0}
        aria-label="Differences found here"
        style={{ maxHeight: "28rem" }}
      >
        <Table verticalSpacing={2} miw={900} stickyHeader>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Place</Table.Th>
              <Table.Th>About</Table.Th>
              <Table.Th>Report</Table.Th>
              <Table.Th>Reference, here</Table.Th>
              <Table.Th>Result</Table.Th>
              <Table.Th>Clause</Table.Th>
              <Table.Th>Check</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows.map((row) => (
              <DifferenceRow
                key={row.position}
                row={row}
                title={titles.get(row.check) ?? row.check}
                diffPath={diffPath}
              />
            ))}
          </Table.Tbody>
        </Table>
      </section>
      <Group gap="sm">
        <Text size="sm" c="dimmed">
          The first {formatCount(rows.length)} of {counted(total, "difference")}
          {noise === 0
            ? ""
            : `; of the ${formatCount(differences.length)} listed ${formatCount(noise)} ${noise === 1 ? "is" : "are"} binary floating point noise, which excuses nothing (§2, §5.3)`}
          .
        </Text>
        {rows.length < differences.length && (
          <Button size="compact-sm" variant="default" onClick={() => setMost(most + 4 * STEP)}>
            Show more
          </Button>
        )}
      </Group>
    </Stack>
  );
}
