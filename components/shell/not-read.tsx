"use client";

import { Alert, Button, Text } from "@mantine/core";
import { inWords } from "./unanswered.ts";

/** Says that something could not be asked of the server, why, and asks again on request; nothing was changed by asking. */
export function NotRead({
  what,
  error,
  onRetry,
}: {
  /** What could not be read, as a title. */
  what: string;
  error: unknown;
  onRetry: () => void;
}) {
  const why = inWords(error);
  return (
    <Alert color="red" title={what} role="alert">
      <Text size="sm">
        {why.charAt(0).toUpperCase()}
        {why.slice(1)}. Nothing was changed.
      </Text>
      <Button size="xs" variant="default" mt="xs" onClick={onRetry}>
        Try again
      </Button>
    </Alert>
  );
}
