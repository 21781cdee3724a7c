"use client";

import { Button, Stack, Text, Title } from "@mantine/core";

/** What a visitor sees where a page failed: nothing is concluded from it. */
export function ErrorView({ onRetry }: { onRetry: () => void }) {
  return (
    <Stack py="xl" gap="sm" align="flex-start">
      <Title order={1} size="h2">
        This page could not be made
      </Title>
      <Text>Nothing was judged, and nothing was lost. The server's log says why.</Text>
      <Button onClick={onRetry}>Try again</Button>
    </Stack>
  );
}
