"use client";

import { Stack, Text, Title } from "@mantine/core";

/** What a visitor sees where there is nothing. */
export function NotFoundView({ title, text }: { title: string; text: string }) {
  return (
    <Stack py="xl" gap="xs">
      <Title order={1} size="h2">
        {title}
      </Title>
      <Text>{text}</Text>
    </Stack>
  );
}
