"use client";

import { Table } from "@mantine/core";
import { decidedWait } from "../../contract/group.ts";
import type { GroupView } from "../../contract/round-view.ts";
import { ClauseText } from "../clause/clause-text.tsx";
import { formatCount, formatTokens } from "../format/format.ts";
import { Name } from "../name/name.tsx";
import { RoundTimeCell } from "./round-clock.tsx";
import { STEP_TEXTS, turningPoint } from "./turning-point.ts";
import { VerdictText } from "./verdict-text.tsx";

function Members({ group }: { group: GroupView }) {
  const shown = group.req_ids.slice(0, 3);
  return (
    <>
      {shown.map((id, at) => (
        <span key={id}>
          {at > 0 ? ", " : ""}
          <Name value={id} max={24} />
        </span>
      ))}
      {group.members > shown.length ? ` and ${formatCount(group.members - shown.length)} more` : ""}
    </>
  );
}

/** Groups with their arithmetic laid open: time, balance, required, wait, what decided, and what would have turned it. */
export function GroupsTable({ groups, label }: { groups: GroupView[]; label: string }) {
  return (
    <section className="scroll-region" tabIndex={0} aria-label={label}>
      <Table miw={1100} verticalSpacing={4}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>By</Table.Th>
            <Table.Th ta="right">Time</Table.Th>
            <Table.Th>Requests</Table.Th>
            <Table.Th ta="right">Signed balance</Table.Th>
            <Table.Th ta="right">Required</Table.Th>
            <Table.Th ta="right">After</Table.Th>
            <Table.Th ta="right">Wait</Table.Th>
            <Table.Th>Verdict</Table.Th>
            <Table.Th>Decided by</Table.Th>
            <Table.Th>What would have turned it</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {groups
            .map((group) => ({ ...group, wait_ms: decidedWait(group) }))
            .map((group) => (
              <Table.Tr key={`${group.source} ${group.position}`}>
                <Table.Td>{group.source}</Table.Td>
                <Table.Td ta="right" style={{ whiteSpace: "nowrap" }}>
                  <RoundTimeCell ms={group.time_ms} />
                </Table.Td>
                <Table.Td>
                  <Members group={group} />
                </Table.Td>
                <Table.Td ta="right">{formatTokens(group.signed_balance)}</Table.Td>
                <Table.Td ta="right">{formatTokens(group.required)}</Table.Td>
                <Table.Td ta="right">{formatTokens(group.signed_after)}</Table.Td>
                <Table.Td ta="right">
                  {group.wait_ms === null ? "none" : `${formatCount(group.wait_ms)} ms`}
                </Table.Td>
                <Table.Td>
                  <VerdictText verdict={group.verdict} />
                  {group.reserve_breached ? " (breach)" : ""}
                </Table.Td>
                <Table.Td>
                  <ClauseText text={`§3.4 step ${group.step}: ${STEP_TEXTS[group.step]}`} />
                </Table.Td>
                <Table.Td>{turningPoint(group)}</Table.Td>
              </Table.Tr>
            ))}
        </Table.Tbody>
      </Table>
    </section>
  );
}
