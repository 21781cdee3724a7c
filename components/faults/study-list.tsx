"use client";

import { Anchor, Button, Table, Text, Title } from "@mantine/core";
import Link from "next/link";
import type { StudyItem } from "../../contract/study.ts";
import { Name } from "../name/name.tsx";
import { LiveControls } from "../shell/live-controls.tsx";
import { Moment } from "../shell/moment.tsx";
import { RefreshWhile } from "../shell/refresh-while.tsx";
import { NotDone, type Told, useTold } from "../shell/told.tsx";

const STATES: Record<StudyItem<null>["state"], string> = {
  waiting: "waits for its turn",
  running: "is running",
  done: "done",
  failed: "could not be worked out",
  cancelled: "cancelled",
};

/** Studies of the lab, the latest first; those that run are found here again. */
export function StudyList({
  studies,
  remove,
}: {
  studies: StudyItem<null>[];
  remove: (id: string) => Promise<Told>;
}) {
  const removing = useTold();
  const isOnItsWay = studies.some(({ state }) => state === "waiting" || state === "running");
  return (
    <LiveControls>
      <section aria-label="Studies">
        <RefreshWhile active={isOnItsWay} />
        <Title order={2} size="h4">
          Studies
        </Title>
        <NotDone problem={removing.problem} />
        {studies.length === 0 ? (
          <Text>No study yet: choose a stream above, and see which faults it can show.</Text>
        ) : (
          <section className="scroll-region" tabIndex={0} aria-label="List of studies">
            <Table miw={640} verticalSpacing={4}>
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>Stream</Table.Th>
                  <Table.Th>Started</Table.Th>
                  <Table.Th>State</Table.Th>
                  <Table.Th>
                    <Text component="span" size="sm" fw={700}>
                      Remove
                    </Text>
                  </Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {studies.map(({ id, name, created_at_ms, state, progress }) => (
                  <Table.Tr key={id}>
                    <Table.Td>
                      <Anchor component={Link} href={`/faults/${id}`} prefetch={false}>
                        <Name isLinked value={name} max={60} />
                      </Anchor>
                    </Table.Td>
                    <Table.Td>
                      <Moment at_ms={created_at_ms} />
                    </Table.Td>
                    <Table.Td>
                      {STATES[state]}
                      {progress === null ? "" : `: ${progress.phase}`}
                    </Table.Td>
                    <Table.Td>
                      <Button
                        size="compact-xs"
                        variant="default"
                        onClick={() => removing.ask(() => remove(id))}
                      >
                        Remove
                      </Button>
                    </Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          </section>
        )}
      </section>
    </LiveControls>
  );
}
