"use client";

import { Anchor, Group, Stack, Title } from "@mantine/core";
import Link from "next/link";
import type { ReactNode } from "react";

const TABS = [
  { id: "live", title: "Live", href: "/gate" },
  { id: "edit", title: "Edit", href: "/gate/edit" },
  { id: "versions", title: "Versions", href: "/gate/versions" },
  { id: "audit", title: "Audit", href: "/gate/audit" },
] as const;

/** The heading of the gate's pages, and the way between them. */
export function GateFrame({ tab, children }: { tab: (typeof TABS)[number]["id"]; children: ReactNode }) {
  return (
    <Stack gap="md">
      <Group justify="space-between" gap="sm">
        <Title order={1} size="h2">
          Gate
        </Title>
        <Group component="nav" aria-label="Gate" gap="md">
          {TABS.map(({ id, title, href }) => (
            <Anchor
              key={id}
              component={Link}
              href={href}
              size="sm"
              prefetch={false}
              fw={id === tab ? 700 : 400}
              {...(id === tab ? { "aria-current": "page" as const } : {})}
            >
              {title}
            </Anchor>
          ))}
        </Group>
      </Group>
      {children}
    </Stack>
  );
}
