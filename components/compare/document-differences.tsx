"use client";

import { Stack, Table, Text, Title } from "@mantine/core";
import type { Comparison, DocumentComparison } from "../../contract/comparison.ts";
import { counted } from "../format/format.ts";
import { Name } from "../name/name.tsx";
import { SidesHead } from "./sides-head.tsx";

const value = (text: string | null) =>
  text === null ? (
    <Text component="span" size="sm" c="dimmed">
      nothing
    </Text>
  ) : (
    <Name value={text} max={60} />
  );

function DocumentPart({ title, found }: { title: string; found: DocumentComparison }) {
  if (!found.known) return <Text size="sm">{`${title}: not compared, since ${found.why}.`}</Text>;
  if (found.changes.length === 0) return <Text size="sm">{title}: the same in A and B.</Text>;
  return (
    <section className="scroll-region" tabIndex={0} aria-label={`Differences of the ${title.toLowerCase()}`}>
      <Table miw={560} verticalSpacing={3} captionSide="top">
        <Table.Caption ta="left" c="inherit" fz="sm" fw={600}>
          {title}: {counted(found.changes.length + found.more, "field differs", "fields differ")}
          {found.more > 0 ? `, the first ${found.changes.length} shown` : ""}
        </Table.Caption>
        <SidesHead first="Field" />
        <Table.Tbody>
          {found.changes.map(({ path, a, b }) => (
            <Table.Tr key={path}>
              <Table.Td>
                <Name value={path} max={80} />
              </Table.Td>
              <Table.Td>{value(a)}</Table.Td>
              <Table.Td>{value(b)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </section>
  );
}

/** What A and B were decided from, where that differs: named before what came of it. */
export function DocumentDifferences({
  comparison,
  faults,
  readings,
}: {
  comparison: Comparison;
  faults: { a: string[]; b: string[] };
  readings: { a: string; b: string };
}) {
  const { contract, policy, stream } = comparison;
  const isFaulty = faults.a.length + faults.b.length > 0;
  return (
    <Stack gap="xs">
      <Title order={2} size="h4">
        What they were decided from
      </Title>
      <DocumentPart title="Contract" found={contract} />
      <DocumentPart title="Policy" found={policy} />
      <Text size="sm">
        {stream.a === stream.b && stream.a !== null
          ? "Stream: the same in A and B, byte for byte."
          : "Stream: A and B were decided from different files."}
      </Text>
      {isFaulty && (
        <Text size="sm">
          Faults injected: A {faults.a.length === 0 ? "none" : faults.a.join(", ")}; B{" "}
          {faults.b.length === 0 ? "none" : faults.b.join(", ")}.
        </Text>
      )}
      {readings.a !== readings.b && (
        <Text size="sm">
          Reading: A {readings.a}, B {readings.b}.
        </Text>
      )}
    </Stack>
  );
}
