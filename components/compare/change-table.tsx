"use client";

import { Anchor, Button, Group, NativeSelect, Stack, Text, TextInput, Title } from "@mantine/core";
import Link from "next/link";
import { type FormEvent, useMemo } from "react";
import {
  CHANGE_KINDS,
  type ChangeRow,
  type SideDecision,
  type TenantChange,
} from "../../contract/comparison.ts";
import { VERDICTS } from "../../contract/verdicts.ts";
import { formatCount, formatTokens } from "../format/format.ts";
import { Name } from "../name/name.tsx";
import { LazyTable } from "../round/lazy-table.tsx";
import { VerdictText } from "../round/verdict-text.tsx";
import type { Column } from "../round/virtual-table.tsx";
import { LiveControls } from "../shell/live-controls.tsx";
import { type ChangedParams, useSearchChange } from "../shell/use-search-change.ts";

/** What of the changes is shown, as the page's address says. */
export interface CompareQuery {
  kind: string;
  tenant: string;
  search: string;
  from: string;
  to: string;
  req: string;
}

const KINDS: Record<(typeof CHANGE_KINDS)[number], string> = {
  flip: "another verdict",
  detail: "another reason, wait or mark",
  only_a: "only in A",
  only_b: "only in B",
};

function Said({ side }: { side: SideDecision | null }) {
  if (side === null)
    return (
      <Text component="span" size="sm" c="dimmed">
        not there
      </Text>
    );
  const wait =
    side.verdict === "accepted" || side.wait_ms === null ? "" : `, ${formatCount(side.wait_ms)} ms`;
  return (
    <>
      <VerdictText verdict={side.verdict} />
      {side.reason === null ? "" : `, ${side.reason}`}
      {wait}
      {side.reserve_breached ? ", reserve breached" : ""}
    </>
  );
}

function changeColumns(href: (changed: ChangedParams) => string): Column<ChangeRow>[] {
  return [
    {
      title: "Request",
      width: "minmax(8rem, 1.2fr)",
      cell: (row) => <Name value={row.req_id} max={28} />,
    },
    { title: "Tenant", width: "minmax(7rem, 1fr)", cell: (row) => <Name value={row.tenant} max={24} /> },
    { title: "A", width: "minmax(13rem, 1.6fr)", cell: (row) => <Said side={row.a} /> },
    { title: "B", width: "minmax(13rem, 1.6fr)", cell: (row) => <Said side={row.b} /> },
    { title: "What", width: "minmax(9rem, 1fr)", cell: (row) => KINDS[row.kind] },
    {
      title: "Why",
      width: "7rem",
      cell: (row) => (
        <Anchor component={Link} href={href({ req: row.req_id })} size="sm" prefetch={false} scroll={false}>
          Explain both
        </Anchor>
      ),
    },
  ];
}

function tenantColumns(href: (changed: ChangedParams) => string): Column<TenantChange>[] {
  const both = (
    title: string,
    of: (row: NonNullable<TenantChange["a"]>) => number,
  ): Column<TenantChange> => ({
    title,
    width: "9rem",
    align: "right",
    cell: ({ a, b }) =>
      `${a === null ? "–" : formatTokens(of(a))} → ${b === null ? "–" : formatTokens(of(b))}`,
  });
  return [
    {
      title: "Tenant",
      width: "minmax(9rem, 1.4fr)",
      cell: (row) => (
        <Anchor
          component={Link}
          href={href({ tenant: row.tenant, req: "" })}
          size="sm"
          prefetch={false}
          scroll={false}
        >
          <Name isLinked value={row.tenant} max={32} />
        </Anchor>
      ),
    },
    { title: "Flips", width: "4rem", align: "right", cell: (row) => formatCount(row.flips) },
    { title: "Accepted by B only", width: "8.5rem", align: "right", cell: (row) => formatCount(row.gained) },
    { title: "By A only", width: "6rem", align: "right", cell: (row) => formatCount(row.lost) },
    { title: "One side", width: "5rem", align: "right", cell: (row) => formatCount(row.one_sided) },
    both("Used, A → B", ({ used }) => used),
    both("Accepted", ({ accepted }) => accepted),
    both("Queued", ({ queued }) => queued),
    both("Rejected", ({ rejected }) => rejected),
    {
      title: "Breach",
      width: "7rem",
      cell: ({ a, b }) => `${a?.reserve_breached ? "yes" : "no"} → ${b?.reserve_breached ? "yes" : "no"}`,
    },
  ];
}

/** Tenants that differ, those with the most flips first. */
export function TenantChanges({ apiPath }: { apiPath: string }) {
  const { href } = useSearchChange();
  const columns = useMemo(() => tenantColumns(href), [href]);
  return (
    <LiveControls>
      <section>
        <Title order={2} size="h4">
          Tenants
        </Title>
        <LazyTable
          label="Tenants that differ"
          path={`${apiPath}/tenants`}
          params={new URLSearchParams()}
          columns={columns}
          empty="No tenant differs."
        />
      </section>
    </LiveControls>
  );
}

/** Requests that are decided otherwise, filtered by the page's address. */
export function ChangeTable({ apiPath, query }: { apiPath: string; query: CompareQuery }) {
  const { href, go } = useSearchChange();
  const columns = useMemo(() => changeColumns(href), [href]);
  const params = new URLSearchParams();
  for (const key of ["kind", "tenant", "search", "from", "to"] as const)
    if (query[key] !== "") params.set(key, query[key]);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    go({ search: String(form.get("search") ?? ""), tenant: String(form.get("tenant") ?? ""), req: "" });
  };
  const any = { value: "", label: "Any" };
  return (
    <Stack gap="sm">
      <Title order={2} size="h4">
        Requests
      </Title>
      <Group
        component="form"
        role="search"
        onSubmit={submit as never}
        align="flex-end"
        gap="sm"
        key={params.toString()}
      >
        <TextInput name="search" label="Request id" defaultValue={query.search} placeholder="Part of an id" />
        <TextInput name="tenant" label="Tenant, exactly" defaultValue={query.tenant} />
        <Button type="submit" variant="default">
          Filter
        </Button>
        <NativeSelect
          label="What differs"
          data={[any, ...CHANGE_KINDS.map((kind) => ({ value: kind, label: KINDS[kind] }))]}
          value={query.kind}
          onChange={(event) => go({ kind: event.currentTarget.value, req: "" })}
        />
        <NativeSelect
          label="A says"
          data={[any, ...VERDICTS]}
          value={query.from}
          onChange={(event) => go({ from: event.currentTarget.value, req: "" })}
        />
        <NativeSelect
          label="B says"
          data={[any, ...VERDICTS]}
          value={query.to}
          onChange={(event) => go({ to: event.currentTarget.value, req: "" })}
        />
      </Group>
      <LazyTable
        key={params.toString()}
        label="Requests that differ"
        path={`${apiPath}/changes`}
        params={params}
        columns={columns}
        empty={params.size === 0 ? "Every request is decided the same." : "No request matches this filter."}
        onOpen={(row: ChangeRow) => go({ req: row.req_id })}
      />
    </Stack>
  );
}
