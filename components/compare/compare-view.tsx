"use client";

import { Anchor, Group, Skeleton, Stack, Text, Title } from "@mantine/core";
import dynamic from "next/dynamic";
import Link from "next/link";
import type { Comparison } from "../../contract/comparison.ts";
import type { RoundListItem } from "../../contract/round-view.ts";
import type { StudyItem } from "../../contract/study.ts";
import { counted } from "../format/format.ts";
import { Name } from "../name/name.tsx";
import type { Told } from "../shell/told.tsx";
import { useSearchChange } from "../shell/use-search-change.ts";
import { SealAlert } from "../signals/seal-alert.tsx";
import { StudyState } from "../study/study-state.tsx";
import { ChangeTable, type CompareQuery, TenantChanges } from "./change-table.tsx";
import { CompareButton } from "./compare-button.tsx";
import { ComparisonFigures } from "./comparison-figures.tsx";
import { DocumentDifferences } from "./document-differences.tsx";
import { PairView, type SameFiles } from "./pair-view.tsx";
import { SideMark } from "./side-mark.tsx";

const LazyExplanations = dynamic(
  () => import("./both-explanations.tsx").then((view) => view.BothExplanations),
  {
    ssr: false,
    loading: () => <Skeleton height={160} />,
  },
);

/** What it comes to, in one sentence. */
function sentence({ same, flips, details, only_a, only_b }: Comparison): string {
  if (same)
    return "A and B are the same: every decision and every figure. The order of dispatch is not compared.";
  if (flips + details + only_a + only_b === 0)
    return "Every request is decided the same; figures of tenants differ.";
  const parts = [
    `${counted(flips, "request flips", "requests flip")}`,
    ...(details === 0 ? [] : [`${counted(details, "more has", "more have")} another reason, wait or mark`]),
    ...(only_a === 0 ? [] : [`${counted(only_a, "request is", "requests are")} only in A`]),
    ...(only_b === 0 ? [] : [`${counted(only_b, "request is", "requests are")} only in B`]),
  ];
  return `${parts.join("; ")}.`;
}

function SideLink({ side, round }: { side: "A" | "B"; round: RoundListItem }) {
  return (
    <Group gap="xs" wrap="nowrap">
      <SideMark side={side} />
      <Anchor component={Link} href={`/rounds/${round.id}`} miw={0}>
        <Name isLinked value={round.name} max={80} />
      </Anchor>
    </Group>
  );
}

/** That a side is not what was judged: whatever stands below counts of what it was. */
function SideSeals({ a, b }: { a: RoundListItem; b: RoundListItem }) {
  return (
    <>
      {a.seal.state !== "kept" && <SideMark side="A" />}
      <SealAlert seal={a.seal} />
      {b.seal.state !== "kept" && <SideMark side="B" />}
      <SealAlert seal={b.seal} />
    </>
  );
}

function Findings({
  a,
  b,
  comparison,
  apiPath,
  query,
}: {
  a: RoundListItem;
  b: RoundListItem;
  comparison: Comparison;
  apiPath: string;
  query: CompareQuery;
}) {
  const { href } = useSearchChange();
  return (
    <Stack gap="lg">
      <Text size="lg" fw={600}>
        {sentence(comparison)}
      </Text>
      <DocumentDifferences
        comparison={comparison}
        faults={{ a: a.faults, b: b.faults }}
        readings={{ a: a.reading, b: b.reading }}
      />
      <ComparisonFigures comparison={comparison} href={(from, to) => href({ from, to, kind: "", req: "" })} />
      <TenantChanges apiPath={apiPath} />
      {query.req !== "" && <LazyExplanations a={a.id} b={b.id} req_id={query.req} />}
      <ChangeTable apiPath={apiPath} query={query} />
    </Stack>
  );
}

/** Two rounds beside each other: what they were decided from, what differs, and why. */
export function CompareView({
  a,
  b,
  study,
  same,
  isAwaited,
  query,
  compare,
}: {
  a: RoundListItem;
  b: RoundListItem;
  study: StudyItem<Comparison> | null;
  same: SameFiles;
  isAwaited: boolean;
  query: CompareQuery;
  /** Starts a comparison, or finds it, and goes there. */
  compare: (a: string, b: string) => Promise<Told>;
}) {
  const start = compare.bind(null, a.id, b.id);
  const isOver = study?.state === "failed" || study?.state === "cancelled";
  return (
    <Stack gap="md">
      <Title order={1} size="h2">
        A beside B
      </Title>
      <Stack gap={4}>
        <SideLink side="A" round={a} />
        <SideLink side="B" round={b} />
        <Group gap="sm">
          <CompareButton action={compare.bind(null, b.id, a.id)} variant="default" size="compact-sm">
            Turn A and B round
          </CompareButton>
          <Anchor component={Link} href="/compare" size="sm" prefetch={false}>
            Compare others
          </Anchor>
        </Group>
      </Stack>
      <SideSeals a={a} b={b} />
      {study === null && <PairView a={a} b={b} same={same} isAwaited={isAwaited} start={start} />}
      {study !== null && study.result === null && <StudyState study={study} />}
      {isOver && <CompareButton action={start}>Compare A and B again</CompareButton>}
      {study?.result != null && (
        <Findings
          a={a}
          b={b}
          comparison={study.result}
          apiPath={`/api/comparisons/${study.id}`}
          query={query}
        />
      )}
    </Stack>
  );
}
