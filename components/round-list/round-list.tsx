"use client";

import { Anchor, Button, Group, Pagination, Stack, Text, TextInput, Title } from "@mantine/core";
import { IconSearch, IconUpload } from "@tabler/icons-react";
import Link from "next/link";
import type { FormEvent } from "react";
import type { RoundListItem } from "../../contract/round-view.ts";
import { counted } from "../format/format.ts";
import { RefreshWhile } from "../shell/refresh-while.tsx";
import { useSearchChange } from "../shell/use-search-change.ts";
import { RoundTable } from "./round-table.tsx";

interface ListQuery {
  search: string;
  sort: "created" | "name" | "requests";
  dir: "asc" | "desc";
  false_green?: boolean;
  limit: number;
  offset: number;
}

const isUnfinished = ({ state }: RoundListItem) => state === "waiting" || state === "running";

function EmptyList({ isFiltered }: { isFiltered: boolean }) {
  return (
    <Stack py="xl" align="center" gap="xs">
      <Text fw={600}>{isFiltered ? "No round matches" : "No rounds yet"}</Text>
      <Text c="dimmed" ta="center">
        {isFiltered
          ? "Take a filter away, or search for something else."
          : "A round reads a stream of requests, decides each by a contract and a policy, and is then checked by an independent reference."}
      </Text>
      {!isFiltered && (
        <Button component={Link} href="/rounds/new">
          Start a round
        </Button>
      )}
    </Stack>
  );
}

/** All rounds: search, filter and sort live in the URL. */
export function RoundList({
  rows,
  total,
  query,
}: {
  rows: RoundListItem[];
  total: number;
  query: ListQuery;
}) {
  const { go: change } = useSearchChange();
  const search = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    change({ q: String(new FormData(event.currentTarget).get("q") ?? ""), page: "" });
  };
  const pages = Math.ceil(total / query.limit);
  return (
    <Stack gap="md">
      <RefreshWhile active={rows.some(isUnfinished)} />
      <Group justify="space-between">
        <Title order={1} size="h2">
          Rounds
        </Title>
        <Button component={Link} href="/rounds/new" leftSection={<IconUpload size={16} aria-hidden />}>
          New round
        </Button>
      </Group>
      <Group component="form" onSubmit={search as never} gap="sm" role="search">
        <TextInput
          name="q"
          aria-label="Search rounds by name or stream"
          placeholder="Name or stream"
          defaultValue={query.search}
          leftSection={<IconSearch size={16} aria-hidden />}
        />
        <Button type="submit" variant="default">
          Search
        </Button>
        <Button
          variant={query.false_green ? "filled" : "default"}
          aria-pressed={query.false_green === true}
          onClick={() => change({ show: query.false_green ? "" : "false-green", page: "" })}
        >
          Only false greens
        </Button>
        <Text size="sm" c="dimmed">
          {counted(total, "round")}
        </Text>
      </Group>
      {rows.length === 0 ? (
        <EmptyList isFiltered={query.search !== "" || query.false_green === true} />
      ) : (
        <RoundTable
          rows={rows}
          sort={query.sort}
          dir={query.dir}
          onSort={(sort, dir) => change({ sort, dir })}
        />
      )}
      {pages > 1 && (
        <Pagination
          total={pages}
          value={query.offset / query.limit + 1}
          onChange={(page) => change({ page: String(page) })}
          getControlProps={(control) => ({ "aria-label": `${control} page` })}
        />
      )}
      <Text size="sm" c="dimmed">
        New here? Open the{" "}
        <Anchor component={Link} href="/rounds?q=problem+state" underline="always">
          problem state
        </Anchor>
        : three of its five signals say well, and are wrong.
      </Text>
    </Stack>
  );
}
