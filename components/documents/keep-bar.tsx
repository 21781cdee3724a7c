"use client";

import { Button, Group, Text, TextInput } from "@mantine/core";
import { useState } from "react";
import type { KeepResult } from "./document-state.ts";
import { ProblemLines } from "./problem-lines.tsx";

/** What came of keeping a document, in words. */
function Outcome({ result, onTakeUp }: { result: KeepResult; onTakeUp: () => void }) {
  if (result.kind === "refused")
    return (
      <>
        <Text size="sm" c="var(--unwell)">
          Not kept: only a sound document is.
        </Text>
        <ProblemLines problems={result.problems} />
      </>
    );
  if (result.kind === "unstored")
    return (
      <Text size="sm" c="var(--unwell)">
        {result.problem}
      </Text>
    );
  const { version } = result.version;
  if (result.kind === "kept") return <Text size="sm">Kept as version {version}.</Text>;
  if (result.kind === "same") return <Text size="sm">Version {version} has this text already.</Text>;
  return (
    <Group gap="xs">
      <Text size="sm" c="var(--unwell)">
        Version {version} is there already, and is not what this was edited from: nothing was overwritten.
      </Text>
      <Button size="compact-xs" variant="default" onClick={onTakeUp}>
        Compare with version {version}
      </Button>
    </Group>
  );
}

/** Keeps the document as the next version of a name. */
export function KeepBar({
  label,
  suggested,
  next,
  onKeep,
  onTakeUp,
}: {
  label: string;
  suggested: string;
  /** The version it would be under the suggested name. */
  next: number;
  onKeep: (name: string) => Promise<KeepResult>;
  /** Compares with a version that somebody else kept; keeping again makes the one after it. */
  onTakeUp: (result: KeepResult) => void;
}) {
  const [typed, setTyped] = useState<string | null>(null);
  const [result, setResult] = useState<KeepResult | "unanswered" | null>(null);
  const [isBusy, setBusy] = useState(false);
  const name = typed ?? suggested;
  const keep = async () => {
    setBusy(true);
    setResult(await onKeep(name).catch(() => "unanswered" as const));
    setBusy(false);
  };
  return (
    <div>
      <Group gap="sm" align="flex-end">
        <TextInput
          size="xs"
          label={`Keep this ${label} as`}
          value={name}
          w="16rem"
          maxLength={200}
          onChange={(event) => {
            setTyped(event.currentTarget.value);
            setResult(null);
          }}
        />
        <Button size="xs" variant="default" loading={isBusy} onClick={keep}>
          {name === suggested && next > 1 ? `Keep as version ${next}` : `Keep the ${label}`}
        </Button>
      </Group>
      <div aria-live="polite">
        {result === "unanswered" && (
          <Text size="sm" c="var(--unwell)">
            The server did not answer; it is not known whether it was kept.
          </Text>
        )}
        {result !== null && result !== "unanswered" && (
          <Outcome result={result} onTakeUp={() => onTakeUp(result)} />
        )}
      </div>
    </div>
  );
}
