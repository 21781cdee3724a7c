"use client";

import { Alert, Group, Loader, NativeSelect, Stack, Text } from "@mantine/core";
import { IconAlertTriangle, IconFileCheck } from "@tabler/icons-react";
import dynamic from "next/dynamic";
import { useCallback, useEffect, useState } from "react";
import { FORMAT_IDS, type FormatId } from "../../contract/log-formats.ts";
import type { Recognised } from "../../contract/mapping.ts";
import { counted, formatCount } from "../format/format.ts";
import { NotRead } from "../shell/not-read.tsx";
import { tenantsOfLines } from "./policy-match.ts";
import type { LogReading } from "./round-draft.ts";
import { headForm, type StreamApi, type StreamPlan } from "./stream-api.ts";
import { beginningOf, type StreamChoice } from "./stream-choice.ts";
import type { StreamDraft } from "./stream-draft.ts";

const StreamMapping = dynamic(() => import("./stream-mapping.tsx").then((module) => module.StreamMapping), {
  loading: () => <Loader size="sm" aria-label="The mapping is loading" />,
});

type State = { kind: "asking" } | { kind: "failed"; error: unknown } | Recognised;

function useRecognition(choice: StreamChoice, format: FormatId | "", api: StreamApi, attempt: number): State {
  const [state, setState] = useState<State>({ kind: "asking" });
  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt asks again
  useEffect(() => {
    let isCurrent = true;
    setState({ kind: "asking" });
    // The format of one's own is read only once it is told: the mapping's form asks for it.
    const wanted = format === "" || format === "nginx" ? {} : { format: { id: format } };
    api.recognise(headForm(choice, wanted)).then(
      (found) => isCurrent && setState(found),
      (error) => isCurrent && setState({ kind: "failed", error }),
    );
    return () => {
      isCurrent = false;
    };
  }, [choice, format, api, attempt]);
  return state;
}

const TENANT_BYTES = 16 * 1024;

/** The tenants of the first lines of a canonical stream; of a packed one none. */
async function firstTenants(choice: StreamChoice): Promise<string[]> {
  const head =
    choice.kind === "text"
      ? choice.text
      : await beginningOf(choice)
          .blob.slice(0, TENANT_BYTES)
          .text()
          .catch(() => "");
  return tenantsOfLines(head.split("\n"));
}

const PACKED = { none: "", gzip: ", packed by gzip", zstd: ", packed by zstd" };

/** What the stream is, by its first lines; for a log how its lines become requests, and its first rows. */
export function StreamLog(props: {
  choice: StreamChoice;
  api: StreamApi;
  onPlan: (plan: StreamPlan) => void;
  /** The tenants of the first requests, one a request; none while they are not known. */
  onTenants?: (tenants: readonly string[]) => void;
  /** How it was read when this form was left; a stream that nothing is known of is read by its content. */
  initial?: LogReading | null;
  onReading?: (reading: LogReading) => void;
}) {
  const { choice, api, onPlan, onTenants, onReading, initial = null } = props;
  const [format, setFormat] = useState<FormatId | "">(initial?.format ?? "");
  const [attempt, setAttempt] = useState(0);
  const state = useRecognition(choice, format, api, attempt);
  // A mapping that was stated for this stream holds, whatever its first lines are taken for today.
  const stated = initial !== null && initial.format === format ? initial.mapping : null;
  const isLog =
    (state.kind === "log" && (state.result.ok || format === "nginx")) ||
    (state.kind !== "asking" && stated !== null);
  useEffect(() => {
    if (isLog) return;
    onPlan(state.kind === "asking" ? undefined : { mapping: null });
    if (state.kind !== "asking") onReading?.({ format, mapping: null });
  }, [isLog, state, format, onPlan, onReading]);
  const onDraft = useCallback(
    (mapping: StreamDraft) => onReading?.({ format, mapping }),
    [format, onReading],
  );
  const isCanonical = state.kind === "canonical";
  useEffect(() => {
    let isCurrent = true;
    // Those of a log are told by whoever maps its first rows.
    onTenants?.([]);
    if (isCanonical) firstTenants(choice).then((found) => isCurrent && onTenants?.(found));
    return () => {
      isCurrent = false;
    };
  }, [isCanonical, choice, onTenants]);
  const recognition = state.kind === "log" && state.result.ok ? state.result.recognition : null;
  return (
    <Stack gap="xs">
      <Group align="end" gap="sm">
        <NativeSelect
          label="Format"
          size="xs"
          value={format}
          onChange={(event) => setFormat(event.currentTarget.value as FormatId | "")}
          data={[{ value: "", label: "By its content" }, ...FORMAT_IDS.filter((id) => id !== "canonical")]}
        />
        <div aria-live="polite" style={{ flex: "1 1 16rem", minWidth: 0 }}>
          {state.kind === "asking" && <Text size="sm">Looking at the first lines…</Text>}
          {state.kind === "canonical" && (
            <Group gap={6} wrap="nowrap">
              <IconFileCheck size={18} aria-hidden style={{ flexShrink: 0 }} />
              <Text size="sm">A canonical stream: it needs no mapping.</Text>
            </Group>
          )}
          {recognition !== null && (
            <Group gap={6} wrap="nowrap">
              <IconFileCheck size={18} aria-hidden style={{ flexShrink: 0 }} />
              <Text size="sm">
                {recognition.title}
                {PACKED[recognition.packing]}: {formatCount(recognition.lines_read)} of the first{" "}
                {counted(recognition.lines_seen, "line")} read. {recognition.notes.join(" ")}
              </Text>
            </Group>
          )}
        </div>
      </Group>
      {state.kind === "failed" && (
        <NotRead
          what="The stream could not be looked at"
          error={state.error}
          onRetry={() => setAttempt(attempt + 1)}
        />
      )}
      <Refusal state={state} isOwn={format === "nginx"} />
      {isLog && (
        <StreamMapping
          key={format}
          choice={choice}
          api={api}
          recognition={format === "nginx" ? null : recognition}
          initial={stated}
          onDraft={onDraft}
          onPlan={onPlan}
          {...(onTenants === undefined ? {} : { onTenants })}
        />
      )}
    </Stack>
  );
}

/** Why a stream is no log that is known, or cannot be read. */
function Refusal({ state, isOwn }: { state: State; isOwn: boolean }) {
  if (state.kind === "canonical" || state.kind === "asking" || state.kind === "failed") return null;
  if (state.kind === "log" && (state.result.ok || isOwn)) return null;
  const reason =
    state.kind === "log" && !state.result.ok ? state.result.reason : "reason" in state ? state.reason : "";
  const advice =
    state.kind === "log"
      ? " Choose its format if it is one, or run it as a canonical stream: then each bad line is told."
      : "";
  return (
    <Alert color="yellow" icon={<IconAlertTriangle aria-hidden />} title="No log that is known">
      The stream {reason}.{advice}
    </Alert>
  );
}
