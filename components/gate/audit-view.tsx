"use client";

import { Alert, Button, Checkbox, FileButton, Group, Stack, Text } from "@mantine/core";
import { useState, useTransition } from "react";
import type { AuditResult } from "../../contract/decision-log.ts";
import type { OwnAuditAnswer } from "../../contract/gate-console.ts";
import { counted } from "../format/format.ts";
import { Name } from "../name/name.tsx";
import { AuditFindings } from "./audit-findings.tsx";
import { NoGate } from "./no-gate.tsx";

interface Audited {
  what: string;
  result: AuditResult;
}

async function send(file: File, isOpen: boolean): Promise<AuditResult> {
  const query = new URLSearchParams({ name: file.name, ...(isOpen ? { open: "" } : {}) });
  const response = await fetch(`/api/gate/audit?${query}`, { method: "POST", body: file });
  if (!response.ok) throw new Error(`the console answered ${response.status}: ${await response.text()}`);
  return response.json();
}

/** A decision log, the gate's own or one that is sent, recomputed by the reference (G11). */
export function AuditView({ auditOwn }: { auditOwn: () => Promise<OwnAuditAnswer> }) {
  const [isOpen, setOpen] = useState(false);
  const [audited, setAudited] = useState<Audited | null>(null);
  const [failure, setFailure] = useState<Exclude<OwnAuditAnswer, { kind: "answer" }> | string | null>(null);
  const [isBusy, start] = useTransition();
  const own = () =>
    start(async () => {
      setFailure(null);
      const answer = await auditOwn();
      if (answer.kind !== "answer") return setFailure(answer);
      const { files, result } = answer.value;
      setAudited({ what: `the gate's own log, ${counted(files, "file")}`, result });
    });
  const choose = (file: File | null) => {
    if (file === null) return;
    start(async () => {
      setFailure(null);
      try {
        setAudited({ what: file.name, result: await send(file, isOpen) });
      } catch (error) {
        setFailure(error instanceof Error ? error.message : String(error));
      }
    });
  };
  return (
    <Stack gap="md">
      <Text maw={800}>
        What the gate says of itself is no evidence. Its decision log holds every request, every configuration
        and what was decided; an independent reference decides all of it again, and shows each difference with
        its clause.
      </Text>
      <Group gap="sm">
        <Button onClick={own} loading={isBusy}>
          Audit the gate's own log
        </Button>
        <FileButton onChange={choose} accept=".jsonl" inputProps={{ "aria-label": "Log file" }}>
          {(button) => (
            <Button {...button} variant="default" disabled={isBusy}>
              Audit a file …
            </Button>
          )}
        </FileButton>
        <Checkbox
          label="The file is still being written"
          checked={isOpen}
          onChange={(event) => setOpen(event.currentTarget.checked)}
        />
      </Group>
      {typeof failure === "string" && (
        <Alert color="red" title="Nothing was audited" role="alert">
          {failure}
        </Alert>
      )}
      {failure !== null && typeof failure !== "string" && <NoGate answer={failure} />}
      {audited !== null && (
        <Stack gap="sm" role="region" aria-label="Audit">
          <Text size="sm">
            Audited: <Name value={audited.what} max={100} />
          </Text>
          <AuditFindings result={audited.result} />
        </Stack>
      )}
    </Stack>
  );
}
