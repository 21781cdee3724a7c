"use client";

import { Skeleton } from "@mantine/core";
import dynamic from "next/dynamic";

// Charts are the heaviest script of the console and say nothing that the page does not say in words too: they come after
// the page, into a place that is kept for them.

export const LazyVerdictChart = dynamic(
  () => import("./verdict-chart.tsx").then((chart) => chart.VerdictChart),
  {
    ssr: false,
    loading: () => <Skeleton height={220} />,
  },
);

export const LazyBalanceChart = dynamic(
  () => import("./balance-chart.tsx").then((chart) => chart.BalanceChart),
  {
    ssr: false,
    loading: () => <Skeleton height={150} />,
  },
);
