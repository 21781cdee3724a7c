"use client";

import {
  Alert,
  Button,
  Fieldset,
  Group,
  NativeSelect,
  Progress,
  Radio,
  Stack,
  Text,
  TextInput,
  Title,
} from "@mantine/core";
import { IconHelpCircle } from "@tabler/icons-react";
import { useRouter } from "next/navigation";
import { useRef, useState } from "react";
import type { InputProblem } from "../../contract/input.ts";
import type { RecheckSource } from "../../contract/recheck.ts";
import type { Reading } from "../../contract/request.ts";
import { formatBytes } from "../format/format.ts";
import { ProblemList } from "../new-round/problem-list.tsx";
import type { StreamApi } from "../new-round/stream-api.ts";
import { usePlan } from "../new-round/use-stream.ts";
import { LazyResult } from "../recheck/lazy-result.tsx";
import { RecheckStatus } from "../recheck/recheck-panel.tsx";
import { useRecheck } from "../recheck/use-recheck.ts";
import { LiveControls } from "../shell/live-controls.tsx";
import { inWords, isCancelled } from "../shell/unanswered.ts";
import { AuditDrop } from "./audit-drop.tsx";
import { type AuditFiles, missingParts, NO_FILES } from "./audit-files.ts";
import { AuditLog, useIsLog } from "./audit-log.tsx";
import { type AuditUpload, uploadAudit } from "./audit-upload.ts";

type Started = { ok: true; id: string } | { ok: false; problems: InputProblem[] };

const EXITS = [
  { value: "", label: "Not known" },
  { value: "0", label: "0, clean" },
  { value: "1", label: "1" },
  { value: "2", label: "2, a finding" },
  { value: "3", label: "3, unavailable" },
];

/** Files as what is rechecked; null while one is missing. */
function sourceOf(files: AuditFiles, reading: Reading): RecheckSource | null {
  const { bundle, contract, policy, stream, report } = files;
  if (bundle !== null) return { kind: "bundle", bundle };
  if (contract === null || policy === null || stream === null || report === null) return null;
  return { kind: "files", contract, policy, stream, report, reading };
}

const list = (names: string[]): string =>
  names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;

/** Says that nothing can be judged, and for want of what. */
function MissingAlert({ files }: { files: AuditFiles }) {
  const missing = missingParts(files);
  return (
    <Alert color="gray" icon={<IconHelpCircle aria-hidden />} title="Cannot be judged" role="alert">
      <Text size="sm">
        The {list(missing)} {missing.length === 1 ? "is" : "are"} missing. Without contract, policy and stream
        nothing can be recomputed, and so nothing is known of a report.
      </Text>
      <Text size="sm">“Could not judge” is not “nothing wrong”.</Text>
    </Alert>
  );
}

/** A report made elsewhere: judged in this browser, or kept as an audit with all views of a round. */
export function AuditForm({
  streamApi,
  start,
}: {
  streamApi: StreamApi;
  start: (audit: AuditUpload) => Promise<Started>;
}) {
  const router = useRouter();
  const recheck = useRecheck();
  const [files, setFiles] = useState(NO_FILES);
  const [name, setName] = useState("");
  const [reading, setReading] = useState<Reading>("strict");
  const [exit, setExit] = useState("");
  const [isAsked, setAsked] = useState(false);
  const [problems, setProblems] = useState<InputProblem[]>([]);
  const [sent, setSent] = useState<{ sent: number; total: number } | null>(null);
  const [isBusy, setBusy] = useState(false);
  const abort = useRef<AbortController | null>(null);
  const { state } = recheck;
  const source = sourceOf(files, reading);
  const isLog = useIsLog(files.stream);
  const { setPlan, knownPlan } = usePlan();
  /** The log whose mapping is asked for. */
  const [mapped, setMapped] = useState<File | null>(null);

  const judge = (chosen: RecheckSource | null) => {
    setAsked(chosen === null);
    if (chosen !== null) void recheck.start(chosen);
  };
  const choose = (next: AuditFiles) => {
    setFiles(next);
    setProblems([]);
    setAsked(false);
    recheck.cancel();
    // A bundle brings everything with it: it is judged as it is opened.
    if (next.bundle !== null) judge(sourceOf(next, reading));
  };
  const keep = async () => {
    if (source === null) return setAsked(true);
    if (isLog && mapped !== files.stream) {
      setMapped(files.stream);
      const message = "is a log, or packed: see above how it is read, then keep the audit";
      return setProblems([{ file: files.stream?.name ?? "", path: "", message }]);
    }
    setBusy(true);
    setProblems([]);
    abort.current = new AbortController();
    try {
      const { mapping } = isLog ? await knownPlan() : { mapping: null };
      const choices = { name, reading, exit_status: exit === "" ? null : Number(exit), mapping };
      const upload = await uploadAudit(files, choices, abort.current.signal, (done, total) =>
        setSent({ sent: done, total }),
      );
      const started = await start(upload);
      if (started.ok) return router.push(`/rounds/${started.id}`);
      setProblems(started.problems);
    } catch (error) {
      const message = isCancelled(error)
        ? "cancelled; nothing was stored"
        : `${inWords(error)}. It is not known whether the audit was stored: look at the list of rounds, then try again; all files are still here`;
      setProblems([{ file: "audit", path: "", message }]);
    }
    setSent(null);
    setBusy(false);
  };

  return (
    <LiveControls>
      <Stack gap="md" maw={1400} data-ready={recheck.isReady} data-recheck={state.kind}>
        <Title order={1} size="h2">
          Audit
        </Title>
        <Text>
          A report made elsewhere, by another limiter or kept in a bundle, judged by its contract, policy and
          stream. What the report does not say is indeterminate, never well.
        </Text>
        <Fieldset legend="Files">
          <AuditDrop files={files} onChange={choose} />
          {files.stream !== null && isLog && (
            <AuditLog
              stream={files.stream}
              api={streamApi}
              isMapped={mapped === files.stream}
              onMap={() => setMapped(files.stream)}
              onPlan={setPlan}
            />
          )}
        </Fieldset>
        <Fieldset legend="How to judge">
          <Stack gap="sm">
            {files.bundle === null && (
              <Radio.Group
                label="Bad lines"
                value={reading}
                onChange={(value) => setReading(value as Reading)}
              >
                <Group mt={4}>
                  <Radio value="strict" label="Strict: refuse the stream" />
                  <Radio value="lenient" label="Lenient: leave them out and say so" />
                </Group>
              </Radio.Group>
            )}
            <Group align="flex-end">
              <TextInput
                label="Name"
                placeholder="The report's name"
                value={name}
                onChange={(event) => setName(event.currentTarget.value)}
              />
              <NativeSelect
                label="Exit status of what made the report"
                data={EXITS}
                value={exit}
                onChange={(event) => setExit(event.currentTarget.value)}
              />
            </Group>
          </Stack>
        </Fieldset>
        <Group>
          <Button onClick={() => judge(source)} disabled={state.kind === "working"}>
            Judge in this browser
          </Button>
          <Button variant="default" onClick={keep} loading={isBusy}>
            Keep as an audit with all views
          </Button>
          <Text size="sm" c="dimmed">
            In this browser nothing is uploaded, and no network is needed.
          </Text>
        </Group>
        {sent !== null && (
          <Group gap="sm" wrap="nowrap">
            <Progress
              value={sent.total === 0 ? 100 : (100 * sent.sent) / sent.total}
              aria-label="Upload"
              style={{ flex: 1 }}
            />
            <Text size="xs">
              {formatBytes(sent.sent)} of {formatBytes(sent.total)}
            </Text>
            <Button size="xs" variant="default" onClick={() => abort.current?.abort()}>
              Cancel
            </Button>
          </Group>
        )}
        {isAsked && missingParts(files).length > 0 && <MissingAlert files={files} />}
        <ProblemList title="This report cannot be judged: nothing was stored" problems={problems} />
        <RecheckStatus state={state} total={null} onCancel={recheck.cancel} />
        {state.kind === "done" && (
          <section aria-label="Judged in this browser">
            <LazyResult
              recheck={state.recheck}
              took_ms={state.took_ms}
              claims={state.manifest?.claim == null ? null : { health: state.manifest.claim, truth: null }}
              speaker="The bundle's"
              diffPath={null}
            />
          </section>
        )}
      </Stack>
    </LiveControls>
  );
}
