"use client";

import { Button, Fieldset, Group, Radio, Stack, Text, TextInput, Title } from "@mantine/core";
import { useRouter } from "next/navigation";
import { useEffect, useRef, useState } from "react";
import type { InputProblem } from "../../contract/input.ts";
import type { Reading } from "../../contract/request.ts";
import type { DocumentKind, FaultInfo, KeptDocument, KeptText, RunAgain } from "../../contract/round-view.ts";
import type { Preset } from "../../contract/starting-point.ts";
import {
  anotherDocument,
  type DocumentActions,
  type DocumentValue,
  filesOf,
  keptDocument,
  problemsOf,
  rememberDocuments,
} from "../documents/document-state.ts";
import { DocumentsSection } from "../documents/documents-section.tsx";
import { LiveControls } from "../shell/live-controls.tsx";
import { NotDone } from "../shell/told.tsx";
import { inWords, isCancelled } from "../shell/unanswered.ts";
import { DraftNotice, MissingFileNotice } from "./draft-notice.tsx";
import { FaultChoice } from "./fault-choice.tsx";
import { ProblemList } from "./problem-list.tsx";
import type { StreamApi } from "./stream-api.ts";
import { StreamField } from "./stream-field.tsx";
import { StreamLog } from "./stream-log.tsx";
import { StreamStart } from "./stream-start.tsx";
import { UnknownTenants } from "./unknown-tenants.tsx";
import { useRoundDraft } from "./use-round-draft.ts";

type Started = { ok: true; id: string } | { ok: false; problems: InputProblem[] };

const firstDocument = (first: KeptText | { name: string; text: string }): DocumentValue =>
  "version" in first ? keptDocument(first) : { ...first, base: null, edition: 0 };

interface NewRoundProps {
  /** The scenario's stream, to try a round with. */
  scenarioStream: string;
  /** The documents that the page opens with; of none that is kept where that one is no longer what was kept. */
  documents: Record<DocumentKind, KeptText | { name: string; text: string }>;
  kept: Record<DocumentKind, KeptDocument[]>;
  documentActions: DocumentActions;
  faults: FaultInfo[];
  maxUploadBytes: number;
  streamApi: StreamApi;
  /** The inputs of a round that are to be run again; null for none. */
  again: RunAgain | null;
  /** Why those of the round that was asked for are not here. */
  againProblem: string | null;
  start: (submission: unknown) => Promise<Started>;
}

/** What the server takes of a name. */
const ROUND_NAME_MAX = 300;

const problemOf = (message: string): InputProblem[] => [{ file: "stream", path: "", message }];

/** Why no round was started; or, where the server was asked to and did not answer, why nobody knows whether one was. */
interface NotStarted {
  problems: InputProblem[];
  /** `refused`: something must be changed first; otherwise the same may be tried again. */
  why: "refused" | "not-sent" | "unanswered";
}

const refused = (problems: InputProblem[]): NotStarted => ({ problems, why: "refused" });
const NOTHING_WRONG = refused([]);

/** What was and was not done where running a round came to an error; `isSent`: whether the stream had arrived. */
const notRun = (error: unknown, isSent: boolean): NotStarted =>
  isSent
    ? {
        why: "unanswered",
        problems: problemOf(
          `${inWords(error)}. The stream has arrived, but it is not known whether the round was started: look at the list of rounds before you try again. All that was chosen is still here`,
        ),
      }
    : {
        why: "not-sent",
        problems: problemOf(
          `did not arrive: ${inWords(error)}. Nothing was started, and all that was chosen is still here`,
        ),
      };

/** A new round, top to bottom: the stream, contract and policy, how bad lines are met, run. */
export function NewRoundForm(props: NewRoundProps) {
  const { scenarioStream, faults, maxUploadBytes, streamApi, start } = props;
  const router = useRouter();
  const draft = useRoundDraft(
    () => ({
      contract: firstDocument(props.documents.contract),
      policy: firstDocument(props.documents.policy),
    }),
    scenarioStream,
    streamApi,
    props.again,
  );
  const { stream, documents } = draft;
  const [{ problems, why }, setNotStarted] = useState(NOTHING_WRONG);
  const [isBusy, setBusy] = useState(false);
  const [tenants, setTenants] = useState<readonly string[]>([]);
  const runButton = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    // A button that works is disabled, and loses the focus by that: whoever is told why goes on from there.
    if (problems.length > 0 && !isBusy && document.activeElement === document.body)
      runButton.current?.focus();
  }, [problems, isBusy]);

  const propose = async (preset: Preset) => {
    if (stream.choice === null) return { ok: false as const, reason: "is missing" };
    return streamApi.propose({ preset, ...(await stream.send(stream.choice)) });
  };

  const run = async () => {
    setBusy(true);
    setNotStarted(NOTHING_WRONG);
    let isSent = false;
    if (stream.choice === null) {
      // What else hinders the round is told at once, not one thing after the other.
      const others = await problemsOf(documents.contract, documents.policy);
      setNotStarted(refused([...problemOf("is missing; drop a file, or take the scenario's"), ...others]));
      return setBusy(false);
    }
    try {
      const sent = await stream.send(stream.choice);
      isSent = true;
      const started = await start({
        name: draft.name,
        reading: draft.reading,
        faults: draft.faults,
        ...filesOf(documents.contract, documents.policy),
        ...sent,
      });
      if (started.ok) {
        rememberDocuments(documents.contract, documents.policy);
        draft.end();
        return router.push(`/rounds/${started.id}`);
      }
      if (started.problems.some(({ file }) => file === sent.stream.name)) draft.loseStream();
      setNotStarted(refused(started.problems));
    } catch (error) {
      setNotStarted(
        isCancelled(error)
          ? refused(problemOf("upload cancelled; nothing was started"))
          : notRun(error, isSent),
      );
    }
    setBusy(false);
  };

  return (
    <LiveControls>
      <Stack gap="md" maw={1200}>
        <Title order={1} size="h2">
          New round
        </Title>
        <NotDone problem={props.againProblem} />
        <DraftNotice
          restored={draft.restored}
          isAside={draft.isAside}
          onDiscard={draft.discard}
          onTakeBack={draft.takeBack}
        />
        <Fieldset legend="Stream of requests">
          {draft.missing !== null && <MissingFileNotice file={draft.missing} onRetry={draft.lookAgain} />}
          <StreamField
            choice={stream.choice}
            progress={stream.progress}
            isUploaded={stream.choice?.kind === "held" || stream.upload !== null}
            maxBytes={maxUploadBytes}
            onChoose={(file) => draft.chooseStream({ kind: "file", file })}
            onReject={(message) => setNotStarted(refused(problemOf(message)))}
            onScenario={() =>
              draft.chooseStream({ kind: "text", name: "requests.jsonl", text: scenarioStream })
            }
            onCancel={stream.endUpload}
          />
          {draft.notArrived !== null && (
            <Text size="sm" c="var(--unwell)" role="status">
              Not uploaded yet: {draft.notArrived}. Running the round tries once more.
            </Text>
          )}
          {stream.choice !== null && (
            <StreamLog
              key={draft.initialLog === null ? "new" : "restored"}
              choice={stream.choice}
              api={streamApi}
              onPlan={stream.setPlan}
              onTenants={setTenants}
              initial={draft.initialLog}
              onReading={draft.setLog}
            />
          )}
        </Fieldset>
        <Fieldset legend="Contract and policy">
          <StreamStart
            hindrance={stream.choice === null ? "Choose a stream first." : null}
            propose={propose}
            onProposed={(proposed) =>
              draft.proposeDocuments(({ contract, policy }) => ({
                contract: anotherDocument(contract, "proposed-contract.json", proposed.contract),
                policy: anotherDocument(policy, "proposed-policy.json", proposed.policy),
              }))
            }
          />
          {stream.choice !== null && <UnknownTenants tenants={tenants} policy={documents.policy.text} />}
          <DocumentsSection
            values={documents}
            kept={props.kept}
            actions={props.documentActions}
            opensRemembered={draft.isAfresh}
            onOpened={draft.openDocument}
            onChange={draft.setDocument}
          />
        </Fieldset>
        <Fieldset legend="How to run">
          <Stack gap="sm">
            <TextInput
              label="Name"
              placeholder="The stream's name"
              maxLength={ROUND_NAME_MAX}
              value={draft.name}
              onChange={(event) => draft.setName(event.currentTarget.value)}
            />
            <Radio.Group
              label="Bad lines"
              value={draft.reading}
              onChange={(value) => draft.setReading(value as Reading)}
            >
              <Group mt={4}>
                <Radio value="strict" label="Strict: refuse the stream" />
                <Radio value="lenient" label="Lenient: leave them out and say so" />
              </Group>
            </Radio.Group>
            <FaultChoice faults={faults} chosen={draft.faults} onChange={draft.setFaults} />
          </Stack>
        </Fieldset>
        <ProblemList
          title={
            why === "unanswered"
              ? "It is not known whether the round was started"
              : "The round was not started"
          }
          problems={problems}
          onRetry={why === "refused" ? undefined : () => void run()}
        />
        <Group>
          <Button ref={runButton} onClick={run} loading={isBusy} size="md">
            Run the round
          </Button>
          {draft.hasDraft && (
            <Button variant="default" onClick={draft.discard} disabled={isBusy}>
              Discard what was chosen
            </Button>
          )}
          <Text size="sm" c="dimmed">
            The round runs on when you leave this page; the list of rounds shows it.
            {draft.isKept
              ? ""
              : " This browser keeps nothing of this page: a reload would lose what was chosen here."}
          </Text>
        </Group>
      </Stack>
    </LiveControls>
  );
}
