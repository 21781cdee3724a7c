"use client";

import { Anchor } from "@mantine/core";
import Link from "next/link";
import { Name } from "../name/name.tsx";
import type { Column } from "./virtual-table.tsx";

/** The request of a row, with the way to it in its round's dispatch. */
export function requestColumn<Row extends { req_id: string }>(basePath: string, width: string): Column<Row> {
  return {
    title: "Request",
    width,
    cell: ({ req_id }) => (
      <Anchor
        component={Link}
        href={`${basePath}/dispatch?req=${encodeURIComponent(req_id)}`}
        size="sm"
        prefetch={false}
      >
        <Name isLinked value={req_id} max={28} />
      </Anchor>
    ),
  };
}

/** The tenant of a row. */
export function tenantColumn<Row extends { tenant: string }>(width: string): Column<Row> {
  return { title: "Tenant", width, cell: ({ tenant }) => <Name value={tenant} max={24} /> };
}
