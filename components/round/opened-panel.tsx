"use client";

import { Button, Group, type MantineSpacing, Paper, Stack, Title } from "@mantine/core";
import type { ReactNode } from "react";
import { Name } from "../name/name.tsx";

/** What opens below a table for one of its rows: the row's whole name, a way to close it, and what there is to tell. */
export function OpenedPanel({
  label,
  name,
  max,
  gap,
  onClose,
  children,
}: {
  /** Of the region, for those who do not see it. */
  label: string;
  name: string;
  /** Graphemes of the name that are shown. */
  max: number;
  gap: MantineSpacing;
  onClose: () => void;
  children: ReactNode;
}) {
  return (
    <Paper withBorder p="sm" component="section" aria-label={label}>
      <Stack gap={gap}>
        <Group justify="space-between" wrap="nowrap">
          <Title order={2} size="h4" style={{ overflowWrap: "anywhere" }}>
            <Name value={name} max={max} />
          </Title>
          <Button size="compact-sm" variant="default" onClick={onClose}>
            Close
          </Button>
        </Group>
        {children}
      </Stack>
    </Paper>
  );
}
