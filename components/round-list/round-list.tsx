"use client";

import { Anchor, Button, Group, Pagination, Stack, Text, Title } from "@mantine/core";
import { IconUpload } from "@tabler/icons-react";
import Link from "next/link";
import { useRouter, useSearchParams } from "next/navigation";
import { useEffect, useRef, useState } from "react";
import type { RoundListRow } from "../../contract/round-view.ts";
import { ExportLinks } from "../export/export-links.tsx";
import { counted, formatCount } from "../format/format.ts";
import { LiveControls } from "../shell/live-controls.tsx";
import { RefreshWhile } from "../shell/refresh-while.tsx";
import type { Told } from "../shell/told.tsx";
import { useSearchChange } from "../shell/use-search-change.ts";
import { LazyDropAnywhere } from "./lazy-drop.tsx";
import { ListFilters } from "./list-filters.tsx";
import { isFiltered, type ListParams, NO_FILTERS } from "./list-params.ts";
import { type RemovedBatch, RemovedNotice } from "./removed-notice.tsx";
import { RoundTable } from "./round-table.tsx";
import { type Chosen, SelectionBar } from "./selection-bar.tsx";

/** What comes of a removal: what names it for its undo, null where there was nothing; or why nothing was done. */
type Removed = { batch_ms: number | null } | { problem: string };

/** What the list can have done. */
export interface ListActions {
  removeRounds: (ids: string[]) => Promise<Removed>;
  removeMatching: (search: string) => Promise<Removed>;
  restoreBatch: (batch_ms: number) => Promise<Told>;
  restoreRounds: (ids: string[]) => Promise<Told>;
}

interface ListProps {
  rows: RoundListRow[];
  total: number;
  pageSize: number;
  params: ListParams;
  removed: RemovedBatch | null;
  actions: ListActions;
}

const NONE: Chosen = { ids: new Set(), allMatching: false };
/** Whether there is more to know of a round soon. */
const isOnItsWay = ({ state, seal }: RoundListRow) =>
  state === "waiting" || state === "running" || seal.state === "reading";

function EmptyList({ params }: { params: ListParams }) {
  const { href } = useSearchChange();
  if (isFiltered(params))
    return (
      <Stack py="xl" align="center" gap="xs">
        <Text fw={600}>No round matches</Text>
        <Text c="dimmed" ta="center">
          {params.status === "removed"
            ? "What was removed can be put back for an hour; nothing is waiting here."
            : "Take a filter away, or search for something else."}
        </Text>
        <Button component={Link} href={href(NO_FILTERS)} variant="default">
          Show all rounds
        </Button>
      </Stack>
    );
  return (
    <Stack py="xl" align="center" gap="xs">
      <Text fw={600}>No rounds yet</Text>
      <Text c="dimmed" ta="center">
        A round reads a stream of requests, decides each by a contract and a policy, and is then checked by an
        independent reference. Drop a stream anywhere on this page, or:
      </Text>
      <Button component={Link} href="/rounds/new">
        Start a round
      </Button>
    </Stack>
  );
}

/**
 * What was pressed to remove rounds, or to put them back, is gone once that is done: the focus goes to the list's heading
 * where it would go nowhere.
 */
function useFocusKept() {
  const heading = useRef<HTMLHeadingElement>(null);
  const hasActed = useRef(false);
  useEffect(() => {
    if (!hasActed.current || document.activeElement !== document.body) return;
    hasActed.current = false;
    heading.current?.focus({ preventScroll: true });
  });
  const act = () => {
    hasActed.current = true;
  };
  return { heading, act };
}

/** A batch that cannot be put back any more has no place in the URL. */
function useNoStaleBatch(removed: RemovedBatch | null) {
  const search = useSearchParams();
  const { href } = useSearchChange();
  useEffect(() => {
    if (removed === null && search.has("removed"))
      window.history.replaceState(null, "", href({ removed: "" }));
  });
}

/** Choosing rounds, removing them and putting them back. */
function useRemoval({ rows, total, params, removed, actions }: ListProps, onAct: () => void) {
  const { go } = useSearchChange();
  const router = useRouter();
  const search = useSearchParams();
  const [chosen, setChosen] = useState(NONE);
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const attempt = async (work: () => Promise<Told>) => {
    setBusy(true);
    setProblem(null);
    onAct();
    try {
      const told = await work();
      setProblem(told);
      if (told === null) setChosen(NONE);
    } catch {
      setProblem(
        "That did not work: the server did not answer. Nothing is known to have changed; try again.",
      );
    }
    setBusy(false);
  };
  const ids = [...chosen.ids];
  return {
    problem,
    bar: {
      chosen,
      isBusy,
      shown: rows.length,
      total,
      isRemovedView: params.status === "removed",
      onAllMatching: () => setChosen({ ...chosen, allMatching: true }),
      onClear: () => setChosen(NONE),
      onRemove: () =>
        attempt(async () => {
          const removal = await (chosen.allMatching
            ? actions.removeMatching(search.toString())
            : actions.removeRounds(ids));
          if ("problem" in removal) return removal.problem;
          go({ removed: removal.batch_ms === null ? "" : String(removal.batch_ms), page: "" });
          return null;
        }),
      onRestore: () =>
        attempt(async () => {
          const told = await actions.restoreRounds(ids);
          if (told === null) router.refresh();
          return told;
        }),
    },
    choose: (next: ReadonlySet<string>) => setChosen({ ids: next, allMatching: false }),
    undo: () =>
      attempt(async () => {
        const told = removed === null ? null : await actions.restoreBatch(removed.batch_ms);
        if (told === null) go({ removed: "" });
        return told;
      }),
    closeNotice: () => {
      onAct();
      go({ removed: "" });
    },
  };
}

/** All rounds: search, filters, sort, page and what was just removed live in the URL. */
export function RoundList(props: ListProps) {
  const { rows, total, pageSize, params, removed } = props;
  const { go } = useSearchChange();
  const { heading, act } = useFocusKept();
  const removal = useRemoval(props, act);
  useNoStaleBatch(removed);
  const search = useSearchParams();
  const pages = Math.ceil(total / pageSize);
  const first = (params.page - 1) * pageSize;
  return (
    <Stack gap="sm">
      <RefreshWhile active={rows.some(isOnItsWay)} />
      <LazyDropAnywhere />
      <Group justify="space-between">
        <Group gap="sm" align="baseline">
          <Title order={1} size="h2" ref={heading} tabIndex={-1}>
            Rounds
          </Title>
          <Text size="sm" c="dimmed">
            {pages > 1 && rows.length > 0
              ? `${formatCount(first + 1)}–${formatCount(first + rows.length)} of ${counted(total, "round")}`
              : counted(total, "round")}
          </Text>
          {total > 0 && <ExportLinks path="/api/rounds/export" params={new URLSearchParams(search)} />}
        </Group>
        <Button component={Link} href="/rounds/new" leftSection={<IconUpload size={16} aria-hidden />}>
          New round
        </Button>
      </Group>
      <ListFilters params={params} />
      {removal.problem !== null && (
        <Text role="alert" c="var(--unwell)" size="sm">
          {removal.problem}
        </Text>
      )}
      {rows.length === 0 ? (
        <EmptyList params={params} />
      ) : (
        <LiveControls>
          <SelectionBar {...removal.bar} />
          <RoundTable
            rows={rows}
            sort={params.sort}
            dir={params.dir}
            onSort={(sort, dir) => go({ sort, dir, page: "" })}
            chosen={removal.bar.chosen}
            onChoose={removal.choose}
          />
        </LiveControls>
      )}
      {pages > 1 && (
        <LiveControls>
          <Pagination
            total={pages}
            value={params.page}
            onChange={(page) => go({ page: String(page) })}
            getControlProps={(control) => ({ "aria-label": `${control} page` })}
          />
        </LiveControls>
      )}
      {!isFiltered(params) && (
        <Text size="sm" c="dimmed">
          New here? Open the{" "}
          <Anchor component={Link} href="/rounds?q=problem+state" underline="always">
            problem state
          </Anchor>
          : three of its five signals say well, and are wrong.
        </Text>
      )}
      {removed !== null && (
        <LiveControls>
          <RemovedNotice batch={removed} onUndo={removal.undo} onClose={removal.closeNotice} />
        </LiveControls>
      )}
    </Stack>
  );
}
