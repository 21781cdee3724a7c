"use client";

import { Alert, Anchor, Button, Group, Stack, Text, Title } from "@mantine/core";
import Link from "next/link";
import { useEffect, useState, useTransition } from "react";
import type { GatePublished, GateStaged, GateVersionDetail } from "../../contract/gate-admin.ts";
import type { GateAnswer } from "../../contract/gate-console.ts";
import type { DryRunResult } from "../../contract/gate-dry-run.ts";
import { counted } from "../format/format.ts";
import { ProblemList } from "../new-round/problem-list.tsx";
import { LiveControls } from "../shell/live-controls.tsx";
import { ChangeTable } from "./change-table.tsx";
import { ConfirmDialog } from "./confirm-dialog.tsx";
import { DryRunView } from "./dry-run-view.tsx";
import { GateQueries } from "./gate-queries.tsx";
import { LogWorkState } from "./log-work-state.tsx";
import { MarkedText } from "./marked-text.tsx";
import { NoGate } from "./no-gate.tsx";
import { OutdatedBase } from "./outdated-base.tsx";
import { useLogWork } from "./use-log-work.ts";
import { useLiveVersion } from "./use-overview.ts";

/** What the editor can have done. */
export interface EditorActions {
  stage: (config: string) => Promise<GateAnswer<GateStaged>>;
  publish: (config: string, from: number, note: string) => Promise<GateAnswer<GatePublished>>;
  readVersion: (version: number) => Promise<GateAnswer<GateVersionDetail>>;
}

const PAUSE_MS = 500;

/** Validates the text beside the live configuration a while after the last key, and after another went live; null: not yet. */
function useStaged(text: string, live: number, stage: EditorActions["stage"]): GateAnswer<GateStaged> | null {
  const [staged, setStaged] = useState<{
    text: string;
    live: number;
    answer: GateAnswer<GateStaged>;
  } | null>(null);
  useEffect(() => {
    let isLatest = true;
    const timer = setTimeout(async () => {
      const answer = await stage(text);
      if (isLatest) setStaged({ text, live, answer });
    }, PAUSE_MS);
    return () => {
      isLatest = false;
      clearTimeout(timer);
    };
  }, [text, live, stage]);
  return staged?.text === text && staged.live === live ? staged.answer : null;
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

interface EditorProps {
  text: string;
  from: number;
  actions: EditorActions;
}

/** The configuration as text, its errors in place, what it changes, its dry run, and the way to publish it (G8). */
export function ConfigEditor(props: EditorProps) {
  return (
    <GateQueries>
      <Editor {...props} />
    </GateQueries>
  );
}

const printed = ({ config }: { config: unknown }): string => JSON.stringify(config, null, 2);

function Editor(props: EditorProps) {
  const { actions } = props;
  const [text, setText] = useState(props.text);
  const [loaded, setLoaded] = useState({ text: props.text, from: props.from });
  const { from } = loaded;
  // Numbers count up: an answer from before a publication tells a lower one.
  const live = Math.max(useLiveVersion() ?? from, from);
  const isOutdated = live > from;
  const [isAsking, setAsking] = useState(false);
  const [tried, setTried] = useState<{ text: string; live: number } | null>(null);
  const dryRun = useLogWork<DryRunResult>();
  const [published, setPublished] = useState<GateAnswer<GatePublished> | null>(null);
  const [isPublishing, startPublish] = useTransition();
  const [isLoading, startLoad] = useTransition();
  const staged = useStaged(text, live, actions.stage);
  const problems = staged?.kind === "refused" ? staged.problems : [];
  const changes = staged?.kind === "answer" ? staged.value.changes : null;
  const show = (version: { version: number; config: unknown }) => {
    setLoaded({ text: printed(version), from: version.version });
    setText(printed(version));
  };
  const run = () => {
    setTried({ text, live });
    void dryRun.start("the recorded traffic", "/api/gate/dry-run", text);
  };
  const publish = (note: string) =>
    startPublish(async () => {
      const answer = await actions.publish(text, from, note);
      setPublished(answer);
      setAsking(false);
      if (answer.kind !== "answer") return;
      show(answer.value);
    });
  const load = () =>
    startLoad(async () => {
      const answer = await actions.readVersion(live);
      if (answer.kind === "answer") show(answer.value);
      else setPublished(answer);
    });
  return (
    <LiveControls>
      <Stack gap="md">
        {isOutdated && (
          <OutdatedBase
            from={from}
            live={live}
            isLoading={isLoading}
            onKeep={() => setLoaded({ ...loaded, from: live })}
            onLoad={load}
          />
        )}
        {published?.kind === "answer" && published.value.version === live && (
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
          <Button onClick={() => setAsking(true)} disabled={changes === null || isOutdated}>
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
          <Button variant="default" onClick={() => setText(loaded.text)} disabled={text === loaded.text}>
            Back to what was loaded
          </Button>
          {isOutdated && (
            <Text size="sm">
              Not to be published: version {from}, which it was made from, is no longer live.
            </Text>
          )}
        </Group>
        <Staged staged={staged} />
        {tried !== null && tried.text === text && tried.live !== live && (
          <Alert color="yellow" title={`This dry run was made while version ${tried.live} was live`}>
            Version {live} decides now; what it recorded since is not in here. Run it again to see.
          </Alert>
        )}
        {tried?.text === text && (
          <LogWorkState work={dryRun.work} onCancel={dryRun.cancel}>
            {(found) => <DryRunView {...found} />}
          </LogWorkState>
        )}
        {isAsking && !isOutdated && (
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
