"use client";

import { Stack, Table, Text } from "@mantine/core";
import type { RoundListItem, RoundState } from "../../contract/round-view.ts";
import { formatCount } from "../format/format.ts";
import { Moment } from "../shell/moment.tsx";
import { RefreshWhile } from "../shell/refresh-while.tsx";
import type { Told } from "../shell/told.tsx";
import { CompareButton } from "./compare-button.tsx";
import { SidesHead } from "./sides-head.tsx";

/** Which files A and B have in common; null while one of them has no report. */
export type SameFiles = Record<"contract" | "policy" | "stream", boolean> | null;

const isUndecided = (state: RoundState): boolean => state === "waiting" || state === "running";

const files = (same: NonNullable<SameFiles>): string =>
  (["contract", "policy", "stream"] as const)
    .map((file) => `${file} ${same[file] ? "the same" : "another"}`)
    .join(", ");

function PairTable({ a, b }: { a: RoundListItem; b: RoundListItem }) {
  const counts = (field: "accepted" | "queued" | "rejected") => (round: RoundListItem) =>
    round.summary === null ? "–" : formatCount(round.summary.counts[field]);
  const rows: [string, (round: RoundListItem) => React.ReactNode][] = [
    [
      "Decided",
      ({ finished_at_ms, summary }) =>
        finished_at_ms === null || summary === null ? "–" : <Moment at_ms={finished_at_ms} />,
    ],
    ["Requests", ({ summary }) => (summary === null ? "–" : formatCount(summary.requests))],
    ["Accepted", counts("accepted")],
    ["Queued", counts("queued")],
    ["Rejected", counts("rejected")],
  ];
  return (
    <section className="scroll-region" tabIndex={0} aria-label="What would be compared">
      <Table verticalSpacing={4} maw={720}>
        <SidesHead first="Figure" align="right" />
        <Table.Tbody>
          {rows.map(([label, cell]) => (
            <Table.Tr key={label}>
              <Table.Td>{label}</Table.Td>
              <Table.Td ta="right">{cell(a)}</Table.Td>
              <Table.Td ta="right">{cell(b)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </section>
  );
}

/** Two rounds that are not compared (yet): what would be, why not, or what it waits for. */
export function PairView({
  a,
  b,
  same,
  isAwaited,
  start,
}: {
  a: RoundListItem;
  b: RoundListItem;
  same: SameFiles;
  isAwaited: boolean;
  start: () => Promise<Told>;
}) {
  const sides: ["A" | "B", RoundListItem][] = [
    ["A", a],
    ["B", b],
  ];
  const without = sides.filter(([, { summary }]) => summary === null);
  const isOnItsWay = without.every(([, { state }]) => isUndecided(state));
  return (
    <Stack gap="sm" aria-live="polite">
      <RefreshWhile active={isAwaited || (isOnItsWay && without.length > 0)} />
      {without.map(([side, { state }]) => (
        <Text key={side}>
          Round {side} {isUndecided(state) ? "is being decided." : `has no report: it is ${state}.`}
        </Text>
      ))}
      {isAwaited ? (
        <Text>A and B are compared as soon as both are decided. This page may be left.</Text>
      ) : (
        <Text>Nothing was compared yet: that is not “the same”.</Text>
      )}
      {same !== null && <Text size="sm">B was decided from: {files(same)}.</Text>}
      <PairTable a={a} b={b} />
      {!isAwaited && isOnItsWay && <CompareButton action={start}>Compare A and B</CompareButton>}
    </Stack>
  );
}
