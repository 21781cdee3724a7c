"use client";

import { Alert, Button, Group, Stack, Text } from "@mantine/core";
import { IconVersions } from "@tabler/icons-react";

/** Says that what is edited was made from a version that is no longer live, and how to go on (G8). */
export function OutdatedBase(props: {
  from: number;
  live: number;
  isLoading: boolean;
  onKeep: () => void;
  onLoad: () => void;
}) {
  const { from, live, isLoading, onKeep, onLoad } = props;
  return (
    <Alert
      color="yellow"
      icon={<IconVersions aria-hidden />}
      title={`Version ${live} is live now`}
      role="alert"
    >
      <Stack gap="xs">
        <Text size="sm">
          This text was made from version {from}, which is no longer live: to publish it would undo what came
          since. The changes below are against version {live}. Look at them and keep this text, or load
          version {live} and begin again.
        </Text>
        <Group gap="sm">
          <Button size="xs" variant="default" onClick={onKeep}>
            Keep this text, to replace version {live}
          </Button>
          <Button size="xs" variant="default" loading={isLoading} onClick={onLoad}>
            Load version {live}
          </Button>
        </Group>
      </Stack>
    </Alert>
  );
}
