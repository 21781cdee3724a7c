"use client";

import { Alert, Group, List, NativeSelect, Stack, Table, Text } from "@mantine/core";
import { useState } from "react";
import type { AuditDifference, AuditResult } from "../../contract/decision-log.ts";
import { ClauseText } from "../clause/clause-text.tsx";
import { counted, formatCount } from "../format/format.ts";
import { Name } from "../name/name.tsx";
import { Moment } from "../shell/moment.tsx";
import { Lamp } from "./lamp.tsx";

const ALL = "all";

/** The claim of an audit: nothing judged, or not everything, is never green. */
function AuditLamp({ result }: { result: AuditResult }) {
  const { status, differences, decisions, checks, gaps, claims } = result;
  const evidence = `${counted(decisions, "decision")} recomputed, ${counted(checks, "check")}, ${counted(differences, "difference")}`;
  if (status === 2)
    return (
      <Lamp
        id="audit"
        title="Audit"
        claim="unwell"
        word={counted(differences, "difference")}
        evidence={evidence}
      />
    );
  if (status === 3)
    return (
      <Lamp
        id="audit"
        title="Audit"
        claim="unknown"
        word="could not judge"
        evidence={`${evidence}; ${counted(gaps.length, "gap")}`}
      />
    );
  const begun = claims.length === 0 ? "" : "; begun with what the gate states";
  return (
    <Lamp
      id="audit"
      title="Audit"
      claim="well"
      word="every decision is right"
      evidence={`${evidence}${begun}`}
    />
  );
}

const valuesOf = (differences: readonly AuditDifference[], field: "clause" | "field"): string[] =>
  [...new Set(differences.map((difference) => difference[field]))].sort();

function Filter(props: {
  label: string;
  value: string;
  values: string[];
  onChange: (value: string) => void;
}) {
  const { label, value, values, onChange } = props;
  return (
    <NativeSelect
      label={label}
      size="xs"
      value={value}
      data={[ALL, ...values]}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

function Differences({ result }: { result: AuditResult }) {
  const [clause, setClause] = useState(ALL);
  const [field, setField] = useState(ALL);
  const { first, differences } = result;
  const shown = first.filter(
    (one) => (clause === ALL || one.clause === clause) && (field === ALL || one.field === field),
  );
  return (
    <Stack gap="xs">
      <Group gap="sm">
        <Filter label="Clause" value={clause} values={valuesOf(first, "clause")} onChange={setClause} />
        <Filter label="Field" value={field} values={valuesOf(first, "field")} onChange={setField} />
      </Group>
      <Text size="sm" c="dimmed">
        {formatCount(shown.length)} shown of the first {formatCount(first.length)};{" "}
        {counted(differences, "difference")} in all. The first tells most: what follows may follow from it.
      </Text>
      <section className="scroll-region" tabIndex={0} aria-label="Differences" style={{ maxHeight: "32rem" }}>
        <Table verticalSpacing={2} miw={960} stickyHeader>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Line</Table.Th>
              <Table.Th>Clause</Table.Th>
              <Table.Th>Field</Table.Th>
              <Table.Th>Logged</Table.Th>
              <Table.Th>Reference</Table.Th>
              <Table.Th>Service</Table.Th>
              <Table.Th>Client</Table.Th>
              <Table.Th>File</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {shown.map((one) => (
              <Table.Tr key={`${one.file} ${one.line} ${one.field}`} data-field={one.field}>
                <Table.Td>{formatCount(one.line)}</Table.Td>
                <Table.Td>
                  <ClauseText text={one.clause} />
                </Table.Td>
                <Table.Td>{one.field}</Table.Td>
                <Table.Td>
                  <Name value={JSON.stringify(one.logged)} max={60} />
                </Table.Td>
                <Table.Td>
                  <Name value={JSON.stringify(one.expected)} max={60} />
                </Table.Td>
                <Table.Td>{one.service === null ? "" : <Name value={one.service} />}</Table.Td>
                <Table.Td>{one.client === null ? "" : <Name value={one.client} max={16} />}</Table.Td>
                <Table.Td>
                  <Name value={one.file} max={24} />
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </section>
    </Stack>
  );
}

/** What an audit came to: its claim with the evidence, what it could not judge, and each difference. */
export function AuditFindings({ result }: { result: AuditResult }) {
  const { gaps, differences, span, versions, unproven_freebies, unreached, stores, claims, states, refused } =
    result;
  return (
    <Stack gap="sm">
      <Group component="ul" p={0} m={0} style={{ listStyle: "none" }}>
        <AuditLamp result={result} />
      </Group>
      {span !== null && (
        <Text size="sm">
          <Moment at_ms={span.from} /> to <Moment at_ms={span.to} />, {counted(versions.length, "version")}
        </Text>
      )}
      {claims.map(({ file, seq, at }) => (
        <Text size="sm" key={`${file} ${seq}`}>
          The judging begins in the middle of the gate's life, at <Moment at_ms={at} /> with{" "}
          <Name value={file} max={60} />: balances, admissions and counts of then are what the gate itself
          states (
          <ClauseText text="G11" />
          ); they were not judged.
        </Text>
      ))}
      {states > 0 && (
        <Text size="sm">
          {counted(states, "statement")} of the gate's state at the head of a file compared with the
          recomputation.
        </Text>
      )}
      {refused > 0 && (
        <Text size="sm">
          {counted(refused, "update")} refused or failed; what was live before decided on (
          <ClauseText text="G8" />
          ).
        </Text>
      )}
      {unproven_freebies > 0 && (
        <Text size="sm">
          {counted(unproven_freebies, "decision")} rest on counts of free requests that only the gate knew (
          <ClauseText text="G7" />
          ).
        </Text>
      )}
      {stores.map(({ life, logs, judged }) => (
        <Text size="sm" key={life}>
          Shared store <Name value={life} />: {counted(logs, "log")} put into one order, judged up to call{" "}
          {formatCount(judged)}.
        </Text>
      ))}
      {unreached > 0 && (
        <Text size="sm">
          {counted(unreached, "answer")} of the shared store did not come, as only the gate knew (
          <ClauseText text="G12" />
          ).
        </Text>
      )}
      {gaps.length > 0 && (
        <Alert color="yellow" title="Not judged">
          <List size="sm">
            {gaps.map(({ file, line, message }) => (
              <List.Item key={`${file} ${line} ${message}`}>
                <Name value={file} max={60} />
                {line === null ? "" : `, line ${line}`}: <ClauseText text={message} />
              </List.Item>
            ))}
          </List>
        </Alert>
      )}
      {differences > 0 && <Differences result={result} />}
    </Stack>
  );
}
