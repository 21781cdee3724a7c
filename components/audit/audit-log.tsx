"use client";

import { Alert, Anchor, Button, Loader, Stack, Text } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import dynamic from "next/dynamic";
import Link from "next/link";
import { useEffect, useState } from "react";
import type { StreamApi, StreamPlan } from "../new-round/stream-api.ts";
import type { StreamChoice } from "../new-round/stream-choice.ts";
import { looksLikeLog } from "./log-head.ts";

const StreamLog = dynamic(() => import("../new-round/stream-log.tsx").then((module) => module.StreamLog), {
  loading: () => <Loader size="sm" aria-label="The format is looked at" />,
});

/** Whether the stream of an audit is a log, or packed; false while nobody has looked. */
export function useIsLog(stream: File | null): boolean {
  const [found, setFound] = useState<{ stream: File; isLog: boolean } | null>(null);
  useEffect(() => {
    let isCurrent = true;
    if (stream !== null)
      looksLikeLog(stream).then(
        (isLog) => isCurrent && setFound({ stream, isLog }),
        // What cannot be read is told by whoever judges it.
        () => {},
      );
    return () => {
      isCurrent = false;
    };
  }, [stream]);
  return found !== null && found.stream === stream && found.isLog;
}

/** Says that a stream is a log, and how its lines become requests: asked of the server only when somebody wants it so. */
export function AuditLog({
  stream,
  api,
  isMapped,
  onMap,
  onPlan,
}: {
  stream: File;
  api: StreamApi;
  isMapped: boolean;
  onMap: () => void;
  onPlan: (plan: StreamPlan) => void;
}) {
  const [choice, setChoice] = useState<StreamChoice>({ kind: "file", file: stream });
  useEffect(() => setChoice({ kind: "file", file: stream }), [stream]);
  return (
    <Stack gap="sm" mt="sm">
      <Alert
        color="yellow"
        icon={<IconAlertTriangle aria-hidden />}
        title="This stream is a log, or packed"
        role="alert"
      >
        <Stack gap="xs" align="flex-start">
          <Text size="sm">
            In this browser only a plain canonical stream is judged. The server reads a log, by a mapping,
            where the report is kept as an audit; or{" "}
            <Anchor component={Link} href="/rounds/new" size="sm" c="inherit" underline="always">
              make a round of it first
            </Anchor>{" "}
            and take the stream from that round's inputs.
          </Text>
          {!isMapped && (
            <Button size="xs" variant="default" onClick={onMap}>
              Say how the log is read
            </Button>
          )}
        </Stack>
      </Alert>
      {isMapped && <StreamLog choice={choice} api={api} onPlan={onPlan} />}
    </Stack>
  );
}
