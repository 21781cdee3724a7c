"use client";

import { Button, CloseButton, Group, Paper, Text } from "@mantine/core";
import { IconArrowBackUp } from "@tabler/icons-react";
import { useState } from "react";
import { counted } from "../format/format.ts";
import { Moment } from "../shell/moment.tsx";

/** Rounds that were removed together and can still be put back. */
export interface RemovedBatch {
  batch_ms: number;
  count: number;
  until_ms: number;
}

/** Says what was just removed and offers to undo it; it stays in the URL, so that a reload loses nothing. */
export function RemovedNotice(props: {
  batch: RemovedBatch;
  onUndo: () => Promise<void>;
  onClose: () => void;
}) {
  const [isBusy, setBusy] = useState(false);
  const undo = async () => {
    setBusy(true);
    await props.onUndo().finally(() => setBusy(false));
  };
  return (
    <Paper
      withBorder
      shadow="md"
      p="sm"
      role="status"
      data-testid="removed-notice"
      className="no-print"
      style={{
        position: "fixed",
        right: "1rem",
        bottom: "1rem",
        zIndex: 200,
        maxWidth: "calc(100vw - 2rem)",
      }}
    >
      <Group gap="sm" wrap="nowrap" align="center">
        <Text size="sm">
          {counted(props.batch.count, "round")} removed; can be put back until{" "}
          <Moment at_ms={props.batch.until_ms} />.
        </Text>
        <Button
          size="xs"
          variant="default"
          loading={isBusy}
          leftSection={<IconArrowBackUp size={14} aria-hidden />}
          onClick={undo}
        >
          Undo
        </Button>
        <CloseButton aria-label="Close this notice" onClick={props.onClose} />
      </Group>
    </Paper>
  );
}
