"use client";

import { Anchor, Group, Paper, Skeleton, Stack, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import type { GroupView } from "../../contract/round-view.ts";
import { Name } from "../name/name.tsx";
import { GroupsTable } from "../round/groups-table.tsx";
import { RowQueries } from "../round/row-queries.tsx";
import { NotRead } from "../shell/not-read.tsx";
import { useSearchChange } from "../shell/use-search-change.ts";
import { SideMark } from "./side-mark.tsx";

interface Derivation {
  engine: GroupView | null;
  reference: GroupView | null;
}

function Side({ side, round, req_id }: { side: "A" | "B"; round: string; req_id: string }) {
  const { data, error, refetch } = useQuery({
    queryKey: ["derivation", round, req_id],
    queryFn: async (): Promise<Derivation | null> => {
      const response = await fetch(`/api/rounds/${round}/derivation?req=${encodeURIComponent(req_id)}`);
      if (response.status === 404) return null;
      if (!response.ok) throw new Error(`The server answered ${response.status}`);
      return response.json();
    },
  });
  const groups = data == null ? [] : [data.engine, data.reference].filter((group) => group !== null);
  return (
    <Stack gap={4}>
      <Group gap="xs">
        <SideMark side={side} />
        <Anchor
          component={Link}
          size="sm"
          href={`/rounds/${round}/dispatch?req=${encodeURIComponent(req_id)}`}
        >
          In the dispatch of {side}
        </Anchor>
      </Group>
      {error !== null && (
        <NotRead what="The explanation could not be read" error={error} onRetry={() => void refetch()} />
      )}
      {data === undefined && error === null && <Skeleton height={60} />}
      {data === null && <Text size="sm">Round {side} has no such request.</Text>}
      {data != null &&
        (groups.length === 0 ? (
          <Text size="sm">No bucket decided it: its tenant is not served (§3.6).</Text>
        ) : (
          <GroupsTable groups={groups} label={`How ${side} decided it`} />
        ))}
    </Stack>
  );
}

/** How A and B each came to their decision of one request: the arithmetic of both, by engine and reference. */
export function BothExplanations({ a, b, req_id }: { a: string; b: string; req_id: string }) {
  const { href } = useSearchChange();
  return (
    <RowQueries>
      <Paper withBorder p="sm" component="section" aria-label="Both explanations">
        <Stack gap="sm">
          <Group justify="space-between">
            <Title order={2} size="h4">
              <Name value={req_id} max={60} />, by A and by B
            </Title>
            <Anchor component={Link} href={href({ req: "" })} size="sm" scroll={false}>
              Close
            </Anchor>
          </Group>
          <Side side="A" round={a} req_id={req_id} />
          <Side side="B" round={b} req_id={req_id} />
        </Stack>
      </Paper>
    </RowQueries>
  );
}
