"use client";

import { Skeleton, Stack } from "@mantine/core";

const LINES = ["a", "b", "c", "d", "e", "f"];

/** Holds the place of a page that is being read. */
export function LoadingView() {
  return (
    <Stack role="status" aria-busy="true" aria-label="Loading" gap="sm">
      <Skeleton height={32} width="40%" />
      {LINES.map((line) => (
        <Skeleton key={line} height={24} />
      ))}
    </Stack>
  );
}
