"use client";

import { Button, Group, Modal, Stack, TextInput } from "@mantine/core";
import { type ReactNode, useState } from "react";

const NOTE_MAX = 2000;

/** Asks before something goes live, and why it does. */
export function ConfirmDialog(props: {
  title: string;
  action: string;
  isBusy: boolean;
  children: ReactNode;
  onConfirm: (note: string) => void;
  onClose: () => void;
}) {
  const { title, action, isBusy, children, onConfirm, onClose } = props;
  const [note, setNote] = useState("");
  return (
    <Modal opened onClose={onClose} title={title} size="lg" closeButtonProps={{ "aria-label": "Close" }}>
      <Stack gap="sm">
        {children}
        <TextInput
          label="Note"
          description="Why, for who reads the versions later"
          value={note}
          maxLength={NOTE_MAX}
          onChange={(event) => setNote(event.currentTarget.value)}
        />
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={onClose}>
            Not now
          </Button>
          <Button loading={isBusy} onClick={() => onConfirm(note)}>
            {action}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
