"use client";

import { Skeleton } from "@mantine/core";
import dynamic from "next/dynamic";
import type { VirtualTable } from "./virtual-table.tsx";

// Rows are fetched by the browser: what shows them comes after the page, into a place that is kept for it.

/** `VirtualTable`, loaded after the page. */
export const LazyTable = dynamic(() => import("./virtual-table.tsx").then((table) => table.VirtualTable), {
  ssr: false,
  loading: () => <Skeleton height={590} />,
}) as typeof VirtualTable;

export const LazyDecisionPanel = dynamic(
  () => import("./decision-panel.tsx").then((panel) => panel.DecisionPanel),
  { ssr: false, loading: () => <Skeleton height={120} /> },
);

export const LazyPlacePanel = dynamic(() => import("./place-panel.tsx").then((panel) => panel.PlacePanel), {
  ssr: false,
  loading: () => <Skeleton height={120} />,
});
