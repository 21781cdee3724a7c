"use client";

import { Button, Group, type MantineSpacing, Paper, Stack, Title } from "@mantine/core";
import { type KeyboardEvent, type ReactNode, useEffect, useRef } from "react";
import { Name } from "../name/name.tsx";

/** What opens below a table for one of its rows: the row's whole name, a way to close it, and what there is to tell.
 * It comes into view and takes the focus; closed, by Escape too, it gives the focus back to where it was opened. */
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
  const panel = useRef<HTMLElement>(null);
  useEffect(() => {
    const opener = document.activeElement;
    panel.current?.focus({ preventScroll: true });
    panel.current?.scrollIntoView({ block: "start" });
    return () => {
      // Where the focus went elsewhere meanwhile it stays there.
      if (document.activeElement === document.body && opener instanceof HTMLElement) opener.focus();
    };
  }, []);
  const close = (event: KeyboardEvent) => {
    if (event.key === "Escape") onClose();
  };
  return (
    // What it tells comes a moment later: the place for it is kept, so that it stays in view.
    <Paper
      ref={panel}
      withBorder
      p="sm"
      mih="20rem"
      component="section"
      aria-label={label}
      tabIndex={-1}
      onKeyDown={close}
    >
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
