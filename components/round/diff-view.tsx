"use client";

import { Anchor, Button, Group, SegmentedControl, Stack, Text } from "@mantine/core";
import Link from "next/link";
import { usePathname } from "next/navigation";
import { useMemo } from "react";
import { type Deviation, deviationOf } from "../../contract/deviation.ts";
import type { CheckTally } from "../../contract/health.ts";
import {
  PLACE_SECTIONS,
  type PlaceCount,
  type PlaceRow,
  type RoundSummary,
} from "../../contract/round-view.ts";
import { ClauseText } from "../clause/clause-text.tsx";
import { ExportLinks } from "../export/export-links.tsx";
import { counted, formatCount } from "../format/format.ts";
import { Name } from "../name/name.tsx";
import { LiveControls } from "../shell/live-controls.tsx";
import { useSearchChange } from "../shell/use-search-change.ts";
import type { DeviationActions } from "./deviation-form.tsx";
import { LazyPlacePanel, LazyTable } from "./lazy-table.tsx";
import { NoiseBadge } from "./noise-badge.tsx";
import { ResultText } from "./result-text.tsx";
import { useOpened } from "./use-opened.ts";
import type { Column } from "./virtual-table.tsx";

/** On a narrow screen place, report and reference are seen beside each other without scrolling. */
const VALUE_WIDTH = "minmax(min(7rem, 22vw), 1fr)";
const LEAST_WIDTH = "min(60rem, 80vw + 38rem)";

const keyOf = ({ position }: PlaceRow) => String(position);
const isOpenResult = (result: string) => result === "mismatch" || result === "indeterminate";

const show = (json: string | null) =>
  json === null ? (
    <Text component="span" size="sm" c="dimmed">
      nothing
    </Text>
  ) : (
    <Name value={json} max={48} />
  );

function columnsFor(
  path: string,
  titles: ReadonlyMap<string, string>,
  deviations: readonly Deviation[],
  onOpen: (row: PlaceRow) => void,
): Column<PlaceRow>[] {
  return [
    {
      title: "Place",
      width: "minmax(min(14rem, 36vw), 2fr)",
      cell: (row) => (
        <Anchor
          component={Link}
          href={`${path}?${row.result === "match" ? "result=all&" : ""}section=${row.section}&place=${row.position}`}
          size="sm"
          prefetch={false}
          id={`place-${row.position}`}
        >
          <Name isLinked value={row.path} max={64} />
        </Anchor>
      ),
    },
    { title: "Report", width: VALUE_WIDTH, cell: (row) => show(row.reported) },
    { title: "Reference", width: VALUE_WIDTH, cell: (row) => show(row.expected) },
    {
      title: "Result",
      width: "minmax(8rem, 1.4fr)",
      cell: (row) => (
        <>
          <ResultText result={row.result} /> {row.noise !== null && <NoiseBadge why={row.noise} />}
        </>
      ),
    },
    { title: "Clause", width: "4rem", cell: (row) => <ClauseText text={row.clause} /> },
    { title: "Check", width: "minmax(10rem, 1.2fr)", cell: (row) => titles.get(row.check) ?? row.check },
    {
      title: "Deviation",
      width: "minmax(5rem, 0.8fr)",
      cell: (row) => {
        const recorded = row.result === "match" ? null : deviationOf(deviations, row);
        return recorded === null ? "" : <Name value={recorded.reason} max={24} />;
      },
    },
    {
      title: "Why",
      width: "4.5rem",
      cell: (row) => (
        <Button size="compact-xs" variant="default" onClick={() => onOpen(row)}>
          Open
        </Button>
      ),
    },
  ];
}

function SectionLinks({
  counts,
  section,
  result,
  href,
}: {
  counts: PlaceCount[];
  section: string | undefined;
  result: string;
  href: (changed: Record<string, string>) => string;
}) {
  const count = (name: string | null, open: boolean) =>
    counts
      .filter((row) => (name === null || row.section === name) && isOpenResult(row.result) === open)
      .reduce((sum, row) => sum + row.count, 0);
  return (
    <Group component="nav" aria-label="Sections of the diff" gap="xs">
      {[null, ...PLACE_SECTIONS].map((name) => {
        const [open, matching] = [count(name, true), count(name, false)];
        const text =
          result !== "open"
            ? formatCount(open + matching)
            : `${formatCount(open)}${matching === 0 ? "" : `, ${formatCount(matching)} matching hidden`}`;
        const isHere = (section ?? null) === name;
        return (
          <Anchor
            key={name ?? "every"}
            component={Link}
            href={href({ section: name ?? "", place: "", open: "" })}
            size="sm"
            fw={isHere ? 700 : 400}
            aria-current={isHere ? "true" : undefined}
          >
            {name ?? "everything"} ({text})
          </Anchor>
        );
      })}
    </Group>
  );
}

/** Report and reference side by side, field by field: what differs first, all on request. */
export function DiffView(props: {
  apiPath: string;
  basePath: string;
  counts: PlaceCount[];
  truth: RoundSummary["truth"];
  table: CheckTally[];
  matchesKept: boolean;
  query: { section?: string | undefined; result: string; subject: string; place: string };
  /** Where the place of the link stands in this list; null: it is none of it. */
  target: number | null;
  /** The place that the link opens. */
  opened: PlaceRow | null;
  deviations: readonly Deviation[];
  actions?: DeviationActions | undefined;
}) {
  const { apiPath, basePath, counts, truth, table, matchesKept, query, target, deviations, actions } = props;
  const path = usePathname();
  const { href, go } = useSearchChange();
  const { opened, open, close } = useOpened(props.opened, keyOf);
  const titles = useMemo(() => new Map(table.map(({ check, title }) => [check, title])), [table]);
  const columns = useMemo(() => columnsFor(path, titles, deviations, open), [path, titles, deviations, open]);
  const params = new URLSearchParams({ result: query.result });
  if (query.section) params.set("section", query.section);
  if (query.subject) params.set("subject", query.subject);
  const found = truth.mismatches + truth.indeterminate;
  const kept = counts.reduce((sum, { result, count }) => sum + (result === "match" ? 0 : count), 0);
  return (
    <LiveControls>
      <Stack gap="sm">
        <Group justify="space-between">
          <Text fw={600}>
            {truth.checks === 0
              ? "No recomputation stands for what is stored: nothing is known to match."
              : `${counted(truth.checks, "check")} made, ${formatCount(truth.mismatches)} mismatched, ${formatCount(truth.indeterminate)} indeterminate`}
          </Text>
          <SegmentedControl
            aria-label="Which places are shown"
            data={[
              { value: "open", label: "Mismatches only" },
              { value: "all", label: "All" },
            ]}
            value={query.result}
            onChange={(result) => go({ result: result === "open" ? "" : result, place: "", open: "" })}
          />
        </Group>
        {query.result === "all" && !matchesKept && (
          <Text size="sm">
            Matching places were counted but not kept: this round has too many.
            {kept === found && " What differs is all here."}
          </Text>
        )}
        {kept < found && (
          <Text size="sm">
            {formatCount(kept)} of {counted(found, "place")} that differ are kept, of each check the first;
            all are counted.
          </Text>
        )}
        {deviations.length > 0 && (
          <Text size="sm">
            {counted(deviations.length, "deviation")} recorded: each is shown beside its mismatch, and makes
            nothing green.
          </Text>
        )}
        {query.place !== "" && target === null && (
          <Text size="sm">The place of this link is not among those shown here.</Text>
        )}
        <SectionLinks counts={counts} section={query.section} result={query.result} href={href} />
        <ExportLinks path={`${apiPath}/export/places`} params={params} />
        <LazyTable
          key={params.toString()}
          label="Diff"
          path={`${apiPath}/places`}
          params={params}
          columns={columns}
          target={target}
          minWidth={LEAST_WIDTH}
          empty={
            found === 0 && truth.checks > 0
              ? `Nothing differs: ${counted(truth.checks, "check")} made, every one matched.`
              : "Nothing differs in this section."
          }
          onOpen={open}
        />
        {opened !== null && (
          <LazyPlacePanel
            key={opened.position}
            place={opened}
            title={titles.get(opened.check) ?? opened.check}
            apiPath={apiPath}
            basePath={basePath}
            deviations={deviations}
            actions={actions}
            onClose={close}
          />
        )}
      </Stack>
    </LiveControls>
  );
}
