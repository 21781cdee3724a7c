"use client";

import { Code, Paper, Table, Text, Title } from "@mantine/core";
import type { ImportSummary } from "../../contract/mapping.ts";
import type { RoundImport } from "../../contract/round-view.ts";
import { counted, formatBytes, formatCount } from "../format/format.ts";
import { Name } from "../name/name.tsx";
import { SpreadAdvice } from "./spread-advice.tsx";

/** A mapping as people read it; a stored text is always JSON. */
const printed = (mapping: string): string => JSON.stringify(JSON.parse(mapping), null, 2);

function Counts({ summary }: { summary: ImportSummary }) {
  const { lines, requests, problem_count, other_lines, out_of_order } = summary;
  return (
    <>
      <Text size="sm">
        {counted(lines, "line")} = {counted(requests, "request")} + {counted(problem_count, "problem")} +{" "}
        {formatCount(other_lines)} that hold no request (empty lines, headers, what goes on from the line
        above)
      </Text>
      <Text size="sm">
        {out_of_order === 0
          ? "All lines are in order of time."
          : `${counted(out_of_order, "line is", "lines are")} out of order of time, which changes no result.`}
        {summary.first === null ? "" : ` From ${summary.first} to ${summary.last} (UTC).`}
      </Text>
      {summary.spread !== undefined && <SpreadAdvice spread={summary.spread} />}
    </>
  );
}

function Problems({ summary }: { summary: ImportSummary }) {
  const { problems, problem_count } = summary;
  if (problems.length === 0) return null;
  return (
    <section className="scroll-region" tabIndex={0} aria-label="Lines that were not imported">
      <Table captionSide="top" fz="sm">
        <Table.Caption ta="left">
          {counted(problem_count, "line was", "lines were")} not imported
          {problem_count > problems.length ? `, the first ${formatCount(problems.length)}` : ""}
        </Table.Caption>
        <Table.Thead>
          <Table.Tr>
            <Table.Th ta="right">Line</Table.Th>
            <Table.Th>Part</Table.Th>
            <Table.Th>Reason</Table.Th>
            <Table.Th>The line</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {problems.map(({ line, field, reason, text }) => (
            <Table.Tr key={line}>
              <Table.Td ta="right">{formatCount(line)}</Table.Td>
              <Table.Td>{field === "" ? "the line" : field}</Table.Td>
              <Table.Td>
                <Name value={reason} max={200} />
              </Table.Td>
              <Table.Td>
                <Name value={text} max={200} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </section>
  );
}

/** The log that a round's stream was made from: its digest, its mapping, and what became of its lines. */
export function ImportCard({ log }: { log: RoundImport }) {
  const { summary, mapping } = log;
  const packing = summary === null || summary.packing === "none" ? "" : `, packed by ${summary.packing}`;
  return (
    <Paper withBorder p="sm" component="section" miw={0}>
      <Title order={2} size="h4">
        The log it was made from
      </Title>
      <Text size="sm">
        {formatBytes(log.bytes)}
        {packing}
      </Text>
      <Text size="xs" c="dimmed" style={{ overflowWrap: "anywhere" }}>
        SHA-256 {log.sha256}
      </Text>
      {summary === null ? <Text size="sm">It is not imported yet.</Text> : <Counts summary={summary} />}
      {mapping !== null && (
        <section className="scroll-region" tabIndex={0} aria-label="Mapping" style={{ maxHeight: "16rem" }}>
          <Code block fz="xs" style={{ overflow: "visible", width: "max-content", minWidth: "100%" }}>
            {printed(mapping)}
          </Code>
        </section>
      )}
      {summary !== null && <Problems summary={summary} />}
    </Paper>
  );
}
