"use client";

import { Anchor, Group, Text } from "@mantine/core";

/** Ways to take a table along, whole and as it is filtered and sorted here. */
export function ExportLinks({ path, params }: { path: string; params?: URLSearchParams }) {
  const href = (format: string) => {
    const query = new URLSearchParams(params);
    query.set("format", format);
    return `${path}?${query}`;
  };
  return (
    <Group gap="xs" className="no-print" role="group" aria-label="Export this table">
      <Text size="sm" c="dimmed">
        Export
      </Text>
      <Anchor href={href("csv")} size="sm" download>
        CSV
      </Anchor>
      <Anchor href={href("json")} size="sm" download>
        JSON
      </Anchor>
    </Group>
  );
}
