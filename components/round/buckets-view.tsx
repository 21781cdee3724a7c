"use client";

import {
  Anchor,
  Button,
  Group,
  NativeSelect,
  Pagination,
  Paper,
  SimpleGrid,
  Stack,
  Text,
  TextInput,
  Title,
} from "@mantine/core";
import Link from "next/link";
import type { FormEvent } from "react";
import type { BalanceSeries, GroupView, Page } from "../../contract/round-view.ts";
import { ExportLinks } from "../export/export-links.tsx";
import { counted, formatCount, formatTokens } from "../format/format.ts";
import { Name } from "../name/name.tsx";
import { LiveControls } from "../shell/live-controls.tsx";
import { useSearchChange } from "../shell/use-search-change.ts";
import { GroupsTable } from "./groups-table.tsx";
import { LazyBalanceChart } from "./lazy-charts.tsx";

const SORTS = [
  { value: "worst", label: "Worst first" },
  { value: "name", label: "Name" },
  { value: "used", label: "Tokens used" },
  { value: "utilisation", label: "Used of capacity" },
  { value: "rejected", label: "Rejected" },
  { value: "breaches", label: "Breaches" },
];

interface BucketQuery {
  search: string;
  sort: string;
  tenant: string;
  pins: string[];
  limit: number;
  offset: number;
}

interface OpenTenant {
  tenant: string;
  /** Null for an audit: a report that was made elsewhere holds no arithmetic. */
  engine: Page<GroupView> | null;
  reference: Page<GroupView>;
}

type Decided = OpenTenant & { engine: Page<GroupView> };

function Bucket({
  series,
  href,
  isPinned,
  onPin,
}: {
  series: BalanceSeries;
  href: string;
  isPinned: boolean;
  onPin: () => void;
}) {
  const { tenant, folded } = series;
  const text = `${formatCount(tenant.accepted)} accepted, ${formatCount(tenant.queued)} queued, ${formatCount(tenant.rejected)} rejected, ${counted(tenant.breaches, "breach", "breaches")}`;
  return (
    <Paper withBorder p="xs" component="article">
      <Group justify="space-between" wrap="nowrap" gap="xs">
        <Anchor component={Link} href={href} fw={600} size="sm" style={{ minWidth: 0 }}>
          <Name isLinked value={tenant.tenant} />
        </Anchor>
        <Button
          size="compact-xs"
          variant={isPinned ? "filled" : "default"}
          style={{ flexShrink: 0 }}
          aria-pressed={isPinned}
          onClick={onPin}
        >
          {isPinned ? "Unpin" : "Pin"}
        </Button>
      </Group>
      <Text size="xs" c="dimmed">
        <Name value={tenant.tier} max={24} />, capacity {formatTokens(tenant.capacity)}
        {tenant.reserve_tokens > 0 ? `, reserve ${formatTokens(tenant.reserve_tokens)}` : ""}
      </Text>
      <LazyBalanceChart series={series} />
      <Text size="xs">{text}</Text>
      {folded > 0 && (
        <Text size="xs" c="dimmed">
          {counted(folded, "group")} not drawn
        </Text>
      )}
    </Paper>
  );
}

/** The groups of one tenant as both sides decided them, each where they are not the same. */
function BothSides({ engine, reference }: Decided) {
  const own = JSON.stringify(engine.rows.map(({ source: _, position: __, ...row }) => row));
  const other = JSON.stringify(reference.rows.map(({ source: _, position: __, ...row }) => row));
  return (
    <>
      <GroupsTable groups={engine.rows} label="Groups as the engine decided them" />
      {own === other ? (
        <Text size="sm">The reference decided every one of these groups in the same way.</Text>
      ) : (
        <>
          <Title order={3} size="h5" mt="sm">
            The reference decided otherwise
          </Title>
          <GroupsTable groups={reference.rows} label="Groups as the reference decided them" />
        </>
      )}
    </>
  );
}

/** The groups of one tenant; of a report that was made elsewhere the reference's alone are known. */
function OpenBucket({ open, closeHref, apiPath }: { open: OpenTenant; closeHref: string; apiPath: string }) {
  const { tenant, engine, reference } = open;
  const shown = engine ?? reference;
  return (
    <Paper withBorder p="sm" component="section">
      <Group justify="space-between">
        <Title order={2} size="h4">
          <Name value={tenant} max={80} />: {counted(shown.total, "group")}
        </Title>
        <Anchor component={Link} href={closeHref} size="sm">
          Close
        </Anchor>
      </Group>
      <ExportLinks path={`${apiPath}/export/groups`} params={new URLSearchParams({ tenant })} />
      {engine === null ? (
        <GroupsTable groups={reference.rows} label="Groups as the reference decided them" />
      ) : (
        <BothSides tenant={tenant} engine={engine} reference={reference} />
      )}
      {shown.total > shown.rows.length && (
        <Text size="sm" c="dimmed">
          The first {formatCount(shown.rows.length)} of {formatCount(shown.total)} groups.
        </Text>
      )}
    </Paper>
  );
}

/** Every tenant's balance over time as small multiples; a tenant opens to its groups. */
export function BucketsView({
  pinned,
  series,
  total,
  query,
  open,
  apiPath,
}: {
  /** Buckets that stay on top, whatever the search and the page. */
  pinned: BalanceSeries[];
  series: BalanceSeries[];
  total: number;
  query: BucketQuery;
  open: OpenTenant | null;
  apiPath: string;
}) {
  const { href, go } = useSearchChange();
  const search = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    go({ q: String(new FormData(event.currentTarget).get("q") ?? ""), page: "" });
  };
  const pages = Math.ceil(total / query.limit);
  const shown = [...pinned, ...series];
  const togglePin = (tenant: string) =>
    go({
      pin: query.pins.includes(tenant)
        ? query.pins.filter((name) => name !== tenant)
        : [...query.pins, tenant],
    });
  return (
    <LiveControls>
      <Stack gap="md">
        <Group component="form" role="search" onSubmit={search as never} align="flex-end" gap="sm">
          <TextInput name="q" label="Tenant" defaultValue={query.search} placeholder="Part of a name" />
          <Button type="submit" variant="default">
            Search
          </Button>
          <NativeSelect
            label="Sort by"
            data={SORTS}
            value={query.sort}
            onChange={(event) => go({ sort: event.currentTarget.value })}
          />
          <ExportLinks
            path={`${apiPath}/export/tenants`}
            params={new URLSearchParams({ q: query.search, sort: query.sort })}
          />
          <Text size="sm" c="dimmed">
            {counted(total, "bucket")}. Dashed: reserve; dotted: capacity; ▲ breach, × refused, ○ queued.
          </Text>
        </Group>
        {open !== null && <OpenBucket open={open} closeHref={href({ tenant: "" })} apiPath={apiPath} />}
        {shown.length === 0 ? (
          <Text>
            No tenant has a bucket here
            {query.search === "" ? ": nobody in the stream is served." : " by that name."}
          </Text>
        ) : (
          <SimpleGrid cols={{ base: 1, sm: 2, lg: 3, xl: 4 }}>
            {shown.map((one, at) => (
              <Bucket
                key={one.tenant.tenant}
                series={one}
                href={href({ tenant: one.tenant.tenant })}
                isPinned={at < pinned.length}
                onPin={() => togglePin(one.tenant.tenant)}
              />
            ))}
          </SimpleGrid>
        )}
        {pages > 1 && (
          <Pagination
            total={pages}
            value={query.offset / query.limit + 1}
            onChange={(page) => go({ page: String(page) })}
            getControlProps={(control) => ({ "aria-label": `${control} page` })}
          />
        )}
      </Stack>
    </LiveControls>
  );
}
