"use client";

import { Alert, Button, Code, Group, List, Stack, Table, Text } from "@mantine/core";
import { useState, useTransition } from "react";
import type {
  GatePublished,
  GateRefused,
  GateVersion,
  GateVersionDetail,
} from "../../contract/gate-admin.ts";
import type { GateAnswer } from "../../contract/gate-console.ts";
import { counted } from "../format/format.ts";
import { Name } from "../name/name.tsx";
import { LiveControls } from "../shell/live-controls.tsx";
import { Moment, RelativeMoment } from "../shell/moment.tsx";
import { ConfirmDialog } from "./confirm-dialog.tsx";
import { NoGate } from "./no-gate.tsx";

/** What the list can have done. */
export interface VersionActions {
  rollBackTo: (to: number, from: number, note: string) => Promise<GateAnswer<GatePublished>>;
  readVersion: (version: number) => Promise<GateAnswer<GateVersionDetail>>;
}

const SOURCES = {
  file: "the file at start",
  admin: "published",
  rollback: "rolled back",
  shared: "another gate on the store",
};

const REASONS = {
  invalid: "it was not valid",
  outdated: "it was made from a version that was no longer live",
  failed: "it could not be kept or published",
};

/** Updates that did not go live, as far as the gate remembers; what was live before decided on (G8). */
function Refusals({ refusals }: { refusals: readonly GateRefused[] }) {
  if (refusals.length === 0) return null;
  return (
    <section aria-label="Refused updates">
      <Text fw={600}>Refused since the start, newest first</Text>
      <List size="sm">
        {refusals.map(({ number, at_ms, why, from, problem, problems }) => (
          <List.Item key={number}>
            <Moment at_ms={at_ms} />
            {from === null ? ", only checked" : `, made from version ${from}`}: {REASONS[why]}
            {problem !== null && (
              <>
                : <Name value={`${problem.path} ${problem.message}`.trim()} max={160} />
              </>
            )}
            {problems > 1 ? ` and ${counted(problems - 1, "more problem")}` : ""}
          </List.Item>
        ))}
      </List>
    </section>
  );
}

/** Every version with where it came from; the way back to each (G8). */
export function VersionList(props: {
  versions: readonly GateVersion[];
  refusals: readonly GateRefused[];
  live: number;
  actions: VersionActions;
}) {
  const { versions, refusals, live, actions } = props;
  const [asked, setAsked] = useState<number | null>(null);
  const [shown, setShown] = useState<GateVersionDetail | null>(null);
  const [answer, setAnswer] = useState<GateAnswer<unknown> | null>(null);
  const [isBusy, start] = useTransition();
  const rollBack = (note: string) =>
    start(async () => {
      setAnswer(await actions.rollBackTo(asked!, live, note));
      setAsked(null);
    });
  const show = (version: number) =>
    start(async () => {
      const found = await actions.readVersion(version);
      if (found.kind === "answer") setShown(found.value);
      else setAnswer(found);
    });
  return (
    <LiveControls>
      <Stack gap="md">
        {answer?.kind === "answer" && (
          <Alert color="green" title={`Version ${(answer.value as GatePublished).version} is live`}>
            It is an earlier configuration again, under a number of its own.
          </Alert>
        )}
        {answer !== null && answer.kind !== "answer" && <NoGate answer={answer} />}
        <section className="scroll-region" tabIndex={0} aria-label="Versions">
          <Table verticalSpacing={4} miw={640}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Version</Table.Th>
                <Table.Th>Actions</Table.Th>
                <Table.Th>Published</Table.Th>
                <Table.Th>From</Table.Th>
                <Table.Th>Note</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {versions.map(({ version, published_ms, source, note }) => (
                <Table.Tr key={version} data-version={version}>
                  <Table.Th scope="row" fw={version === live ? 700 : 400}>
                    {version}
                    {version === live ? ", live" : ""}
                  </Table.Th>
                  <Table.Td>
                    <Group gap="xs" wrap="nowrap">
                      <Button size="compact-sm" variant="default" onClick={() => show(version)}>
                        Show {version}
                      </Button>
                      {version !== live && (
                        <Button size="compact-sm" variant="default" onClick={() => setAsked(version)}>
                          Roll back to {version} …
                        </Button>
                      )}
                    </Group>
                  </Table.Td>
                  <Table.Td>
                    <RelativeMoment at_ms={published_ms} />
                  </Table.Td>
                  <Table.Td>{SOURCES[source]}</Table.Td>
                  <Table.Td>{note === "" ? "" : <Name value={note} max={80} />}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </section>
        <Refusals refusals={refusals} />
        {shown !== null && (
          <Stack gap={4}>
            <Text fw={600}>Version {shown.version}</Text>
            <Code block tabIndex={0} aria-label={`Configuration of version ${shown.version}`}>
              {JSON.stringify(shown.config, null, 2)}
            </Code>
          </Stack>
        )}
        {asked !== null && (
          <ConfirmDialog
            title={`Roll back to version ${asked}?`}
            action="Roll back"
            isBusy={isBusy}
            onConfirm={rollBack}
            onClose={() => setAsked(null)}
          >
            <Text size="sm">
              The configuration of version {asked} goes live at once under a new number. Buckets live on:
              nobody is given tokens back.
            </Text>
          </ConfirmDialog>
        )}
      </Stack>
    </LiveControls>
  );
}
