"use client";

import { Alert, Anchor, Button, Group, Stack, Text, Title } from "@mantine/core";
import Link from "next/link";
import { useEffect, useState, useTransition } from "react";
import type { GatePublished, GateStaged } from "../../contract/gate-admin.ts";
import type { GateAnswer } from "../../contract/gate-console.ts";
import type { DryRunResult } from "../../contract/gate-dry-run.ts";
import { counted } from "../format/format.ts";
import { ProblemList } from "../new-round/problem-list.tsx";
import { LiveControls } from "../shell/live-controls.tsx";
import { ChangeTable } from "./change-table.tsx";
import { ConfirmDialog } from "./confirm-dialog.tsx";
import { DryRunView } from "./dry-run-view.tsx";
import { LogWorkState } from "./log-work-state.tsx";
import { MarkedText } from "./marked-text.tsx";
import { NoGate } from "./no-gate.tsx";
import { useLogWork } from "./use-log-work.ts";

/** What the editor can have done. */
export interface EditorActions {
  stage: (config: string) => Promise<GateAnswer<GateStaged>>;
  publish: (config: string, from: number, note: string) => Promise<GateAnswer<GatePublished>>;
}

const PAUSE_MS = 500;

/** Validates the text beside the live configuration a while after the last key; null: not yet. */
function useStaged(text: string, stage: EditorActions["stage"]): GateAnswer<GateStaged> | null {
  const [staged, setStaged] = useState<{ text: string; answer: GateAnswer<GateStaged> } | null>(null);
  useEffect(() => {
    let isLatest = true;
    const timer = setTimeout(async () => {
      const answer = await stage(text);
      if (isLatest) setStaged({ text, answer });
    }, PAUSE_MS);
    return () => {
      isLatest = false;
      clearTimeout(timer);
    };
  }, [text, stage]);
  return staged?.text === text ? staged.answer : null;
}

function Staged({ staged }: { staged: GateAnswer<GateStaged> | null }) {
  if (staged === null) return <Text size="sm">Comparing with the live configuration …</Text>;
  if (staged.kind === "refused") {
    const { problems } = staged;
    return (
      <ProblemList title={`Not accepted: ${counted(problems.length, "problem")}`} problems={[...problems]} />
    );
  }
  if (staged.kind !== "answer") return <NoGate answer={staged} />;
  return (
    <Stack gap={4}>
      <Title order={2} size="h4">
        Against version {staged.value.version}, which is live
      </Title>
      <ChangeTable changes={staged.value.changes} label="Changes against the live version" />
    </Stack>
  );
}

/** The configuration as text, its errors in place, what it changes, its dry run, and the way to publish it (G8). */
export function ConfigEditor(props: { text: string; from: number; actions: EditorActions }) {
  const { actions } = props;
  const [text, setText] = useState(props.text);
  const [from, setFrom] = useState(props.from);
  const [isAsking, setAsking] = useState(false);
  const [tried, setTried] = useState<string | null>(null);
  const dryRun = useLogWork<DryRunResult>();
  const [published, setPublished] = useState<GateAnswer<GatePublished> | null>(null);
  const [isPublishing, startPublish] = useTransition();
  const staged = useStaged(text, actions.stage);
  const problems = staged?.kind === "refused" ? staged.problems : [];
  const changes = staged?.kind === "answer" ? staged.value.changes : null;
  const run = () => {
    setTried(text);
    void dryRun.start("the recorded traffic", "/api/gate/dry-run", text);
  };
  const publish = (note: string) =>
    startPublish(async () => {
      const answer = await actions.publish(text, from, note);
      setPublished(answer);
      setAsking(false);
      if (answer.kind !== "answer") return;
      setFrom(answer.value.version);
      setText(JSON.stringify(answer.value.config, null, 2));
    });
  return (
    <LiveControls>
      <Stack gap="md">
        {published?.kind === "answer" && (
          <Alert color="green" title={`Version ${published.value.version} is live`}>
            <Text size="sm">
              {counted(published.value.changes.length, "change")}. To go back,{" "}
              <Anchor component={Link} href="/gate/versions" inherit>
                roll back to an earlier version
              </Anchor>
              .
            </Text>
          </Alert>
        )}
        {published?.kind === "refused" && (
          <ProblemList title="Not published: nothing has changed" problems={[...published.problems]} />
        )}
        {(published?.kind === "absent" || published?.kind === "unreachable") && <NoGate answer={published} />}
        <MarkedText label="Configuration" value={text} problems={problems} rows={24} onChange={setText} />
        <Group gap="sm">
          <Button onClick={() => setAsking(true)} disabled={changes === null}>
            Publish …
          </Button>
          <Button
            variant="default"
            onClick={run}
            loading={dryRun.work?.state === "running"}
            disabled={changes === null}
          >
            Dry run
          </Button>
          <Button variant="default" onClick={() => setText(props.text)} disabled={text === props.text}>
            Back to what was loaded
          </Button>
        </Group>
        <Staged staged={staged} />
        {tried === text && (
          <LogWorkState work={dryRun.work} onCancel={dryRun.cancel}>
            {(found) => <DryRunView {...found} />}
          </LogWorkState>
        )}
        {isAsking && (
          <ConfirmDialog
            title="Publish this configuration?"
            action="Publish"
            isBusy={isPublishing}
            onConfirm={publish}
            onClose={() => setAsking(false)}
          >
            <Text size="sm">
              It takes the place of version {from} at once, for every request that comes after. Buckets live
              on: nobody is given tokens back.
            </Text>
            <ChangeTable changes={changes ?? []} label="Changes to publish" />
          </ConfirmDialog>
        )}
      </Stack>
    </LiveControls>
  );
}
