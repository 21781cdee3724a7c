"use client";

import { Anchor, Button, Group, Stack, Text } from "@mantine/core";
import Link from "next/link";
import type { FaultRow, ShowingStream } from "../../contract/fault-study.ts";
import { counted } from "../format/format.ts";
import { ToldForm } from "../shell/told.tsx";
import type { RowActions } from "./row-actions.ts";

const ORIGINS: Record<ShowingStream["origin"], string> = {
  part: "of this stream",
  made: "made for this contract and policy",
  case: "with a contract and a policy of its own, from the known scenario",
};

/** The smallest stream that shows a fault: what it is, how sure, and ways to take and to run it. */
export function SmallestStream({ row, actions }: { row: FaultRow; actions: RowActions }) {
  const { smallest } = row;
  if (smallest === null)
    return (
      <Text size="sm" c="dimmed">
        {row.kind === "rule" && row.id !== "hardcoded-ok" ? "none found within the bounds" : "–"}
      </Text>
    );
  const made = actions.made.find((round) => round.row === row.id && round.over === "smallest");
  return (
    <Stack gap={2} align="flex-start">
      <Text size="sm">
        {smallest.requests === 0
          ? "An empty stream: the policy alone shows it"
          : `${counted(smallest.requests, "request")} ${ORIGINS[smallest.origin]}`}
        {smallest.case_name === null ? "" : ` ${smallest.case_name}`}
        {smallest.is_minimal ? "" : "; perhaps not the smallest, the search met its bound"}
      </Text>
      <Text size="xs" c={smallest.confirmed ? "dimmed" : "var(--unwell)"}>
        {smallest.confirmed ? "Confirmed by the reference" : "Not confirmed by the reference"}
      </Text>
      <Group gap="xs">
        <Anchor href={`${actions.streamPath}/${row.id}`} size="sm" download>
          Download
        </Anchor>
        {made === undefined ? (
          <ToldForm action={actions.openRound.bind(null, row.id, "smallest")}>
            <Button type="submit" size="compact-xs" variant="default">
              Run as a round
            </Button>
          </ToldForm>
        ) : (
          <Anchor component={Link} href={`/rounds/${made.round_id}`} size="sm" prefetch={false}>
            Open its round
          </Anchor>
        )}
      </Group>
    </Stack>
  );
}
