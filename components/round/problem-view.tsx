"use client";

import { Alert, Anchor, Button, Group, Stack, Text, Title } from "@mantine/core";
import Link from "next/link";
import type { RoundListItem } from "../../contract/round-view.ts";
import { counted, formatCount } from "../format/format.ts";
import { Name } from "../name/name.tsx";
import { ProblemList } from "../new-round/problem-list.tsx";
import { LineTable } from "./line-table.tsx";
import { SpreadAdvice } from "./spread-advice.tsx";

const TITLES: Record<string, string> = {
  refused: "This round was refused: nothing was decided",
  failed: "This round failed: nothing was judged",
  cancelled: "This round was cancelled",
};

function titleOf({ audit, state }: RoundListItem): string {
  if (audit !== null && state === "refused") return "This report cannot be judged";
  return TITLES[state] ?? "This round has no verdict";
}

/** Why a round has no verdict; never to be taken for a clean one. */
export function ProblemView({
  round,
  again,
  sameInputs,
}: {
  round: RoundListItem;
  /** Where another try begins; absent for whoever only looks. */
  again?: string;
  /** Where another try begins with the inputs of this one. */
  sameInputs?: string;
}) {
  const { problem } = round;
  return (
    <Stack gap="md">
      <Alert color="red" title={titleOf(round)}>
        <Name value={problem?.message ?? "No reason is known."} max={2000} />
        {problem !== null && (
          <Text size="sm">Status {problem.status}. “Could not judge” is not “nothing wrong”.</Text>
        )}
        {problem?.spread !== undefined && <SpreadAdvice spread={problem.spread} />}
      </Alert>
      <Group gap="md">
        {sameInputs !== undefined && (
          <Button component={Link} href={sameInputs} prefetch={false} variant="default">
            Run again with these inputs
          </Button>
        )}
        {again !== undefined && (
          <Anchor component={Link} href={again} size="sm">
            {round.audit === null ? "Start a new round" : "Judge a report again"}
          </Anchor>
        )}
      </Group>
      {problem !== null && <ProblemList title="What is wrong" problems={problem.documents} />}
      {problem !== null && problem.line_count > 0 && (
        <section>
          <Title order={2} size="h4">
            {counted(problem.line_count, "bad line")}
            {problem.line_count > problem.lines.length
              ? `, the first ${formatCount(problem.lines.length)}`
              : ""}
          </Title>
          <LineTable lines={problem.lines} />
        </section>
      )}
    </Stack>
  );
}
