"use client";

import { Button, Checkbox, FileButton, Group, Stack, Text } from "@mantine/core";
import { useState } from "react";
import type { AuditResult } from "../../contract/decision-log.ts";
import { counted } from "../format/format.ts";
import { Name } from "../name/name.tsx";
import { LiveControls } from "../shell/live-controls.tsx";
import { AuditFindings } from "./audit-findings.tsx";
import { LogWorkState } from "./log-work-state.tsx";
import { useLogWork } from "./use-log-work.ts";

/** Names and sizes of files that are sent one behind the other. */
function queryOf(files: readonly File[], isOpen: boolean): URLSearchParams {
  const query = new URLSearchParams(isOpen ? { open: "" } : {});
  for (const { name, size } of files) {
    query.append("name", name);
    query.append("bytes", String(size));
  }
  return query;
}

/** A decision log, the gate's own or one that is sent, recomputed by the reference (G11). */
export function AuditView() {
  const [isOpen, setOpen] = useState(false);
  const { work, start, cancel } = useLogWork<AuditResult>();
  const isBusy = work?.state === "running";
  const choose = (chosen: File[]) => {
    if (chosen.length === 0) return;
    // Names of a log's files sort by time.
    const files = chosen.toSorted((a, b) => (a.name < b.name ? -1 : 1));
    const what = files.map(({ name }) => name).join(", ");
    void start(what, `/api/gate/audit?${queryOf(files, isOpen)}`, new Blob(files));
  };
  return (
    <LiveControls>
      <Stack gap="md">
        <Text maw={800}>
          What the gate says of itself is no evidence. Its decision log holds every request, every
          configuration and what was decided; an independent reference decides all of it again, and shows each
          difference with its clause. Gates that share a store are judged together: choose the logs of all of
          them.
        </Text>
        <Group gap="sm">
          <Button
            onClick={() => void start("the gate's own log", "/api/gate/audit?own", "")}
            disabled={isBusy}
          >
            Audit the gate's own log
          </Button>
          <FileButton onChange={choose} multiple accept=".jsonl" inputProps={{ "aria-label": "Log files" }}>
            {(button) => (
              <Button {...button} variant="default" disabled={isBusy}>
                Audit files …
              </Button>
            )}
          </FileButton>
          <Checkbox
            label="They are still being written"
            checked={isOpen}
            onChange={(event) => setOpen(event.currentTarget.checked)}
          />
        </Group>
        <LogWorkState work={work} onCancel={cancel}>
          {({ files, result }, what) => (
            <Stack gap="sm" role="region" aria-label="Audit">
              <Text size="sm">
                Audited: <Name value={what} max={100} />, {counted(files, "file")}
              </Text>
              <AuditFindings result={result} />
            </Stack>
          )}
        </LogWorkState>
      </Stack>
    </LiveControls>
  );
}
