"use client";

import { Alert, Button, Group, Text } from "@mantine/core";
import { IconArrowBackUp, IconFileUpload, IconHistory, IconTrash } from "@tabler/icons-react";
import { formatBytes } from "../format/format.ts";
import { Name } from "../name/name.tsx";

/** A file that was chosen, and that neither this page nor the server has now. */
export interface MissingFile {
  name: string;
  bytes: number;
  why: "not-arrived" | "not-there" | "not-asked";
}

const WHY: Record<MissingFile["why"], string> = {
  "not-arrived":
    "It had not arrived on the server when the page was left, and a page that was left has no file any more. What had arrived of it is not sent again.",
  "not-there": "It is not on the server any more: another round took it, or nobody used it for a week.",
  "not-asked": "The server did not answer when it was asked for the upload.",
};

/** Asks for a file once more; all that was stated about it is kept. */
export function MissingFileNotice({ file, onRetry }: { file: MissingFile; onRetry: () => void }) {
  return (
    <Alert
      color="yellow"
      icon={<IconFileUpload aria-hidden />}
      title={file.why === "not-asked" ? "The upload could not be looked for" : "Choose the file again"}
      role="alert"
    >
      <Text size="sm">
        <Name value={file.name} max={60} /> ({formatBytes(file.bytes)}): {WHY[file.why]} Everything else that
        was chosen is as it was, and is applied to the same file once it is chosen again.
      </Text>
      {file.why === "not-asked" && (
        <Button size="xs" variant="default" mt="xs" onClick={onRetry}>
          Look again
        </Button>
      )}
    </Alert>
  );
}

const TITLES = { draft: "Taken up again", round: "Run again" };
const SENTENCES = {
  draft: "What was chosen here before the page was left is here again.",
  round:
    "These are the inputs of an earlier round. Change what is to be another, and run: nothing is uploaded again, and the earlier round stays as it is.",
};

function Aside({ onTakeBack }: { onTakeBack: () => void }) {
  return (
    <Alert color="gray" icon={<IconTrash aria-hidden />} role="status" title="Set aside">
      <Group gap="sm">
        <Text size="sm">What was chosen here before is not part of this round.</Text>
        <Button
          size="xs"
          variant="default"
          leftSection={<IconArrowBackUp size={14} aria-hidden />}
          onClick={onTakeBack}
        >
          Take it back
        </Button>
      </Group>
    </Alert>
  );
}

function Restored({ what, onDiscard }: { what: "draft" | "round"; onDiscard: () => void }) {
  return (
    <Alert color="blue" icon={<IconHistory aria-hidden />} role="status" title={TITLES[what]}>
      <Group gap="sm">
        <Text size="sm">{SENTENCES[what]}</Text>
        <Button
          size="xs"
          variant="default"
          leftSection={<IconTrash size={14} aria-hidden />}
          onClick={onDiscard}
        >
          Discard it
        </Button>
      </Group>
    </Alert>
  );
}

/** Says that what was chosen before is here again, or was set aside, and lets either be undone. */
export function DraftNotice(props: {
  /** What is here again: what was chosen before, or the inputs of a round. */
  restored: "draft" | "round" | null;
  isAside: boolean;
  onDiscard: () => void;
  onTakeBack: () => void;
}) {
  const { restored, isAside, onDiscard, onTakeBack } = props;
  return (
    <>
      {isAside && <Aside onTakeBack={onTakeBack} />}
      {restored !== null && <Restored what={restored} onDiscard={onDiscard} />}
    </>
  );
}
