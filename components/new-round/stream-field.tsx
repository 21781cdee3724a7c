"use client";

import { Alert, Anchor, Button, Code, Group, Progress, Stack, Text, Textarea } from "@mantine/core";
import { Dropzone } from "@mantine/dropzone";
import { IconFileUpload, IconFileZip, IconX } from "@tabler/icons-react";
import Link from "next/link";
import { useEffect, useState } from "react";
import { formatBytes, formatSpan } from "../format/format.ts";
import { Name } from "../name/name.tsx";
import { type FirstLines, firstLines, linesOf } from "./first-lines.ts";
import { beginningOf, bytesOf, nameOf, type StreamChoice } from "./stream-choice.ts";

/** How far an upload is. */
export interface UploadProgress {
  sent: number;
  total: number;
  started_at_ms: number;
}

const NO_LINES: FirstLines = { lines: [], isZip: false };

/** The first lines of a choice. */
function usePreview(choice: StreamChoice | null): FirstLines {
  const [found, setFound] = useState(NO_LINES);
  useEffect(() => {
    let isCurrent = true;
    const show = (next: FirstLines) => {
      if (isCurrent) setFound(next);
    };
    if (choice === null) show(NO_LINES);
    else if (choice.kind === "text") show(linesOf(choice.text));
    else firstLines(beginningOf(choice).blob).then(show, () => show(NO_LINES));
    return () => {
      isCurrent = false;
    };
  }, [choice]);
  return found;
}

/** A bundle holds a round that was decided: what it is for is another page. */
function ZipNotice() {
  return (
    <Alert
      color="yellow"
      icon={<IconFileZip aria-hidden />}
      title="An archive of several files, not a stream"
    >
      If it is a round's bundle, the{" "}
      <Anchor component={Link} href="/audit" inherit>
        audit
      </Anchor>{" "}
      judges it, and keeps it as a round with all views. From another ZIP archive take the log out first: gzip
      and zstd are unpacked here.
    </Alert>
  );
}

function UploadStatus({ progress, onCancel }: { progress: UploadProgress; onCancel: () => void }) {
  const { sent, total, started_at_ms } = progress;
  const elapsed_ms = Math.max(Date.now() - started_at_ms, 1);
  const left_ms = sent === 0 ? null : (elapsed_ms * (total - sent)) / sent;
  return (
    <Group gap="sm" wrap="nowrap">
      <Stack gap={2} style={{ flex: 1 }}>
        <Progress value={total === 0 ? 100 : (100 * sent) / total} aria-label="Upload" />
        <Text size="xs" c="dimmed">
          {formatBytes(sent)} of {formatBytes(total)}, {formatBytes((1000 * sent) / elapsed_ms)} a second
          {left_ms === null ? "" : `, ${formatSpan(left_ms)} left`}
        </Text>
      </Stack>
      <Button size="xs" variant="default" leftSection={<IconX size={14} aria-hidden />} onClick={onCancel}>
        Cancel
      </Button>
    </Group>
  );
}

/** How a stream that was pasted is called. */
const PASTED_NAME = "pasted-stream.txt";

/** A stream as text; from here on it is like a file. */
function PasteField({ onPaste }: { onPaste: (text: string) => void }) {
  const [text, setText] = useState("");
  return (
    <Stack gap={6}>
      <Textarea
        label="Lines of a stream, or of a log"
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        minRows={4}
        maxRows={12}
        autosize
        spellCheck={false}
        styles={{ input: { fontFamily: "var(--mantine-font-family-monospace)", fontSize: "0.8rem" } }}
      />
      <Group>
        <Button variant="default" size="xs" disabled={text.trim() === ""} onClick={() => onPaste(text)}>
          Take this text
        </Button>
      </Group>
    </Stack>
  );
}

/** Where the stream is dropped or picked, and what is in it. */
export function StreamField(props: {
  choice: StreamChoice | null;
  progress: UploadProgress | null;
  /** Whether the server has all of it, where that is known. */
  isUploaded?: boolean;
  maxBytes: number;
  onChoose: (file: File) => void;
  onReject: (message: string) => void;
  onScenario: () => void;
  onCancel: () => void;
}) {
  const { choice, progress, maxBytes } = props;
  const preview = usePreview(choice);
  const [isPasting, setPasting] = useState(false);
  const bytes = choice === null ? null : bytesOf(choice);
  return (
    <Stack gap="xs">
      <Dropzone
        multiple={false}
        maxSize={maxBytes}
        onDrop={(files) => files[0] !== undefined && props.onChoose(files[0])}
        onReject={() =>
          props.onReject(`The file is larger than ${formatBytes(maxBytes)}, the most this server takes.`)
        }
        inputProps={{ "aria-label": "Stream file" }}
      >
        <Group gap="sm" justify="center" mih={80} style={{ pointerEvents: "none" }}>
          <IconFileUpload size={28} aria-hidden />
          <Text>
            {choice === null ? (
              "Drop a stream of requests here, or click to pick a file: an access log, plain or packed, or the canonical stream"
            ) : (
              <>
                <Name value={nameOf(choice)} max={60} />{" "}
                {bytes === null ? "" : `${formatBytes(bytes)}${props.isUploaded ? ", uploaded" : ""}`}
              </>
            )}
          </Text>
        </Group>
      </Dropzone>
      <Group>
        <Button variant="default" size="xs" onClick={props.onScenario}>
          Take the scenario's stream
        </Button>
        <Button variant="default" size="xs" aria-expanded={isPasting} onClick={() => setPasting(!isPasting)}>
          Paste a stream
        </Button>
      </Group>
      {isPasting && (
        <PasteField
          onPaste={(text) => {
            setPasting(false);
            props.onChoose(new File([text], PASTED_NAME));
          }}
        />
      )}
      {preview.isZip && <ZipNotice />}
      {preview.lines.length > 0 && preview.lines[0] !== "" && (
        <section className="scroll-region" tabIndex={0} aria-label="First lines of the stream">
          <Code block fz="xs" style={{ overflow: "visible", width: "max-content", minWidth: "100%" }}>
            {preview.lines.join("\n")}
          </Code>
        </section>
      )}
      {progress !== null && <UploadStatus progress={progress} onCancel={props.onCancel} />}
    </Stack>
  );
}
