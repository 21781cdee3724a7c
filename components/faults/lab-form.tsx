"use client";

import {
  Button,
  Fieldset,
  Group,
  NativeSelect,
  SegmentedControl,
  SimpleGrid,
  Stack,
  Text,
} from "@mantine/core";
import { useRouter } from "next/navigation";
import { useState } from "react";
import type { LabRowInfo } from "../../contract/fault-study.ts";
import type { InputProblem } from "../../contract/input.ts";
import { formatCount } from "../format/format.ts";
import { visibleName } from "../name/visible-name.ts";
import { DocumentField } from "../new-round/document-field.tsx";
import { ProblemList } from "../new-round/problem-list.tsx";
import type { StreamApi } from "../new-round/stream-api.ts";
import { StreamField } from "../new-round/stream-field.tsx";
import { StreamLog } from "../new-round/stream-log.tsx";
import { useStream } from "../new-round/use-stream.ts";
import { LiveControls } from "../shell/live-controls.tsx";
import { inWords, isCancelled } from "../shell/unanswered.ts";
import { RowChoice } from "./row-choice.tsx";

type Started = { ok: true; id: string } | { ok: false; problems: InputProblem[] };
type Source = "round" | "upload";

/** Bounds that can be chosen: a longer stream is cut. */
const BOUNDS = [2000, 20_000, 200_000, 2_000_000];

export interface LabFormProps {
  /** Stored rounds whose streams can be taken, the latest first. */
  rounds: { id: string; name: string }[];
  /** The round chosen by the page's address; empty for none. */
  round: string;
  rows: LabRowInfo[];
  presets: { title: string; rows: string[] }[];
  preset: string[];
  scenario: { contract: string; policy: string; stream: string };
  maxUploadBytes: number;
  streamApi: StreamApi;
  start: (value: unknown) => Promise<Started>;
}

const problemOf = (message: string): InputProblem[] => [{ file: "stream", path: "", message }];

/** Where a study begins: a stream, the faults, and how much of the stream. */
export function LabForm(props: LabFormProps) {
  const { rounds, rows, presets, scenario, maxUploadBytes, start } = props;
  const router = useRouter();
  const fromScenario = {
    contract: { name: "contract.json", text: scenario.contract },
    policy: { name: "policy.json", text: scenario.policy },
  };
  const [source, setSource] = useState<Source>(rounds.length === 0 ? "upload" : "round");
  const [round, setRound] = useState(props.round || (rounds[0]?.id ?? ""));
  const stream = useStream();
  const [contract, setContract] = useState(fromScenario.contract);
  const [policy, setPolicy] = useState(fromScenario.policy);
  const [chosen, setChosen] = useState(props.preset);
  const [most, setMost] = useState(20_000);
  const [problems, setProblems] = useState<InputProblem[]>([]);
  const [isBusy, setBusy] = useState(false);

  const run = async () => {
    if (source === "upload" && stream.choice === null)
      return setProblems(problemOf("is missing; drop a file"));
    setBusy(true);
    setProblems([]);
    try {
      const over =
        source === "round"
          ? { round_id: round }
          : { reading: "lenient", contract, policy, ...(await stream.send(stream.choice!)) };
      const started = await start({ ...over, source, rows: chosen, most_requests: most });
      if (started.ok) return router.push(`/faults/${started.id}`);
      if (started.problems.some(({ file }) => file === ("stream" in over ? over.stream.name : null)))
        stream.endUpload();
      setProblems(started.problems);
    } catch (error) {
      setProblems(
        problemOf(
          isCancelled(error)
            ? "upload cancelled; nothing was started"
            : `${inWords(error)}. It is not known whether the study was started; all that was chosen is still here, to try again`,
        ),
      );
    }
    setBusy(false);
  };

  return (
    <LiveControls>
      <Stack gap="md" maw={1200}>
        <Fieldset legend="Stream of requests">
          <Stack gap="sm">
            <SegmentedControl
              aria-label="Where the stream comes from"
              data={[
                { value: "round", label: "A stored round", disabled: rounds.length === 0 },
                { value: "upload", label: "An upload" },
              ]}
              value={source}
              onChange={(value) => setSource(value as Source)}
              style={{ alignSelf: "flex-start" }}
            />
            {source === "round" ? (
              <NativeSelect
                label="Round"
                description="Its stream, contract and policy; faults that it had are left out"
                value={round}
                onChange={(event) => setRound(event.currentTarget.value)}
                data={rounds.map(({ id, name }) => ({ value: id, label: visibleName(name).slice(0, 120) }))}
              />
            ) : (
              <>
                <StreamField
                  choice={stream.choice}
                  progress={stream.progress}
                  maxBytes={maxUploadBytes}
                  onChoose={(file) => stream.setChoice({ kind: "file", file })}
                  onReject={(message) => setProblems(problemOf(message))}
                  onScenario={() =>
                    stream.setChoice({ kind: "text", name: "requests.jsonl", text: scenario.stream })
                  }
                  onCancel={stream.endUpload}
                />
                {stream.choice !== null && (
                  <StreamLog choice={stream.choice} api={props.streamApi} onPlan={stream.setPlan} />
                )}
                <SimpleGrid cols={{ base: 1, md: 2 }}>
                  <DocumentField
                    label="Contract"
                    value={contract}
                    scenario={fromScenario.contract}
                    onChange={setContract}
                  />
                  <DocumentField
                    label="Policy"
                    value={policy}
                    scenario={fromScenario.policy}
                    onChange={setPolicy}
                  />
                </SimpleGrid>
              </>
            )}
            <NativeSelect
              label="How much of it"
              description="A longer stream is cut, and the study says so"
              value={String(most)}
              onChange={(event) => setMost(Number(event.currentTarget.value))}
              data={BOUNDS.map((bound) => ({
                value: String(bound),
                label: `The first ${formatCount(bound)} requests`,
              }))}
            />
          </Stack>
        </Fieldset>
        <Fieldset legend="Faults">
          <RowChoice rows={rows} presets={presets} chosen={chosen} onChange={setChosen} />
        </Fieldset>
        <ProblemList title="The study was not started" problems={problems} />
        <Group>
          <Button onClick={run} loading={isBusy} size="md" disabled={chosen.length === 0}>
            Try the faults
          </Button>
          <Text size="sm" c="dimmed">
            The study runs on when you leave this page, and can be cancelled.
          </Text>
        </Group>
      </Stack>
    </LiveControls>
  );
}
