"use client";

import { Code, Table, Text, Title } from "@mantine/core";
import { type Deviation, deviationOf } from "../../contract/deviation.ts";
import type { PlaceRow } from "../../contract/round-view.ts";
import { ClauseText } from "../clause/clause-text.tsx";
import { visibleText } from "../name/visible-name.ts";
import { Derivations } from "./derivations.tsx";
import { type DeviationActions, DeviationForm, DeviationNoteView } from "./deviation-form.tsx";
import { NoiseBadge } from "./noise-badge.tsx";
import { OpenedPanel } from "./opened-panel.tsx";
import { ResultText } from "./result-text.tsx";

function Value({ json }: { json: string | null }) {
  return json === null ? <Text c="dimmed">nothing</Text> : <Code block>{visibleText(json)}</Code>;
}

/** One place of the diff, whole: both values, both derivations where a bucket decided it, and what was recorded of it. */
export function PlacePanel({
  place,
  title,
  apiPath,
  basePath,
  deviations,
  actions,
  onClose,
}: {
  place: PlaceRow;
  /** Of its check. */
  title: string;
  apiPath: string;
  basePath: string;
  deviations: readonly Deviation[];
  actions: DeviationActions | undefined;
  onClose: () => void;
}) {
  const recorded = place.result === "match" ? null : deviationOf(deviations, place);
  return (
    <OpenedPanel label="The opened place" name={place.path} max={400} gap="sm" onClose={onClose}>
      <Text size="sm">
        {title} (<ClauseText text={place.clause} />
        ): <ResultText result={place.result} />
      </Text>
      <Table layout="fixed" withRowBorders={false}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Report</Table.Th>
            <Table.Th>Reference</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          <Table.Tr>
            <Table.Td>
              <Value json={place.reported} />
            </Table.Td>
            <Table.Td>
              <Value json={place.expected} />
            </Table.Td>
          </Table.Tr>
        </Table.Tbody>
      </Table>
      {place.noise !== null && (
        <Text size="sm">
          <NoiseBadge why={place.noise} /> {place.noise} It is still a mismatch (§2, §5.3).
        </Text>
      )}
      {place.section === "decisions" && (
        <Derivations apiPath={apiPath} basePath={basePath} req_id={place.subject} />
      )}
      {recorded !== null && (
        <section aria-label="Recorded deviation">
          <Title order={3} size="h5">
            Recorded deviation
          </Title>
          <DeviationNoteView
            deviation={recorded}
            onWithdraw={actions === undefined ? undefined : () => actions.withdraw(recorded.id)}
          />
        </section>
      )}
      {recorded === null && actions !== undefined && place.result !== "match" && (
        <DeviationForm onRecord={(note) => actions.record(place.position, note)} />
      )}
    </OpenedPanel>
  );
}
