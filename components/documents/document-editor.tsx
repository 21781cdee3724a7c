"use client";

import { Button, FileButton, Group, NativeSelect, SegmentedControl, Stack, Text, Title } from "@mantine/core";
import { useEffect, useState } from "react";
import type { InputProblem } from "../../contract/input.ts";
import type { DocumentKind, KeptDocument, KeptText, KeptVersion } from "../../contract/round-view.ts";
import { counted } from "../format/format.ts";
import { visibleName } from "../name/visible-name.ts";
import { ChangesView } from "./changes-view.tsx";
import { DocumentForm } from "./document-form.tsx";
import {
  anotherDocument,
  type DocumentActions,
  type DocumentValue,
  type KeepResult,
  keptDocument,
} from "./document-state.ts";
import { JsonEditor } from "./json-editor.tsx";
import { KeepBar } from "./keep-bar.tsx";
import { readText } from "./read-text.ts";

const TITLES: Record<DocumentKind, string> = { contract: "Contract", policy: "Policy" };

interface EditorProps {
  kind: DocumentKind;
  value: DocumentValue;
  kept: KeptDocument[];
  contractText: string;
  problems: InputProblem[] | null;
  actions: DocumentActions;
  onChange: (value: DocumentValue) => void;
  onKeep: (name: string, after: number) => Promise<KeepResult>;
}

/** The versions of the document that is open, the latest first. */
function useHistory(base: KeptText | null, actions: DocumentActions): KeptVersion[] {
  const [history, setHistory] = useState<KeptVersion[]>([]);
  const id = base?.version.document_id ?? null;
  const version = base?.version.version ?? 0;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new version makes a new history
  useEffect(() => {
    let isCurrent = true;
    if (id === null) setHistory([]);
    else
      actions.documentHistory(id).then(
        (found) => isCurrent && setHistory(found),
        () => {},
      );
    return () => {
      isCurrent = false;
    };
  }, [id, version, actions]);
  return history;
}

/** The text to compare with: the version that was edited, or, where nothing was, the one before it. */
function useBefore({ base, text }: DocumentValue, actions: DocumentActions): KeptText | null {
  const [older, setOlder] = useState<KeptText | null>(null);
  const isEdited = base !== null && base.text !== text;
  const wanted = base !== null && !isEdited && base.version.version > 1 ? base.version : null;
  const key = wanted === null ? "" : `${wanted.document_id} ${wanted.version}`;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key stands for the version
  useEffect(() => {
    let isCurrent = true;
    setOlder(null);
    if (wanted !== null)
      actions.documentText(wanted.document_id, wanted.version - 1).then(
        (found) => isCurrent && setOlder(found === null || "problem" in found ? null : found),
        () => {},
      );
    return () => {
      isCurrent = false;
    };
  }, [key]);
  return isEdited ? base : older;
}

/** Whether the document is sound, in words. */
function Judgement({ problems }: { problems: InputProblem[] | null }) {
  const [text, color] =
    problems === null
      ? ["not judged", "var(--unknown)"]
      : problems.length === 0
        ? ["sound", "var(--well)"]
        : [counted(problems.length, "problem"), "var(--unwell)"];
  return (
    <Text size="sm" fw={600} c={color} aria-live="polite">
      {text}
    </Text>
  );
}

/** A contract or policy: chosen among those that are kept, uploaded, edited as a form or as JSON, compared, kept. */
export function DocumentEditor(props: EditorProps) {
  const { kind, value, kept, actions, onChange } = props;
  const title = TITLES[kind];
  const [mode, setMode] = useState("form");
  const [problem, setProblem] = useState<string | null>(null);
  const history = useHistory(value.base, actions);
  const before = useBefore(value, actions);
  const problems = props.problems ?? [];
  const open = (next: DocumentValue) => {
    setProblem(null);
    onChange(next);
  };
  const take = async (id: string, version: number) => {
    const found = await actions.documentText(id, version).catch(() => null);
    if (found === null) return setProblem("That version could not be read; nothing was changed here.");
    if ("problem" in found) return setProblem(found.problem);
    open(keptDocument(found, value.edition + 1));
  };
  const upload = async (file: File | null) => {
    if (file === null) return;
    const read = await readText(file);
    if ("problem" in read) return setProblem(read.problem);
    open(anotherDocument(value, file.name, read.text));
  };
  const keep = async (name: string) => {
    const result = await props.onKeep(name, value.base?.name === name ? value.base.version.version : 0);
    if (result.kind === "kept" || result.kind === "same")
      onChange({ ...value, name, base: { name, version: result.version, text: value.text } });
    return result;
  };
  const takeUp = async (result: KeepResult) => {
    if (result.kind === "refused" || result.kind === "unstored") return;
    const theirs = await actions.documentText(result.version.document_id, result.version.version);
    if (theirs === null) return;
    if ("problem" in theirs) return setProblem(theirs.problem);
    onChange({ ...value, base: theirs });
    setMode("changes");
  };
  const latest = value.base?.version.document_id ?? "";
  return (
    <Stack gap="sm" component="section" aria-label={title}>
      <Group gap="sm" align="flex-end">
        <Title order={2} size="h4">
          {title}
        </Title>
        <NativeSelect
          size="xs"
          label={`Kept ${kind}`}
          value={latest}
          data={[
            ...(value.base === null ? [{ value: "", label: `${visibleName(value.name)} (not kept)` }] : []),
            ...kept.map(({ id, name }) => ({ value: id, label: visibleName(name) })),
          ]}
          onChange={(event) => {
            const chosen = kept.find(({ id }) => id === event.currentTarget.value);
            if (chosen !== undefined) void take(chosen.id, chosen.latest.version);
          }}
        />
        {value.base !== null && history.length > 0 && (
          <NativeSelect
            size="xs"
            label={`Version of the ${kind}`}
            value={String(value.base.version.version)}
            data={history.map(({ version }) => ({ value: String(version), label: `Version ${version}` }))}
            onChange={(event) => void take(latest, Number(event.currentTarget.value))}
          />
        )}
        <FileButton
          onChange={upload}
          accept=".json,application/json"
          inputProps={{ "aria-label": `${title} file` }}
        >
          {(button) => (
            <Button {...button} variant="default" size="xs">
              From a file
            </Button>
          )}
        </FileButton>
        <Judgement problems={props.problems} />
        {value.base !== null && value.base.text !== value.text && (
          <Text size="sm" c="dimmed">
            edited
          </Text>
        )}
      </Group>
      {problem !== null && (
        <Text size="sm" c="var(--unwell)" role="alert">
          {problem}
        </Text>
      )}
      <SegmentedControl
        size="xs"
        aria-label={`${title} as`}
        value={mode}
        onChange={setMode}
        data={[
          { value: "form", label: "Form" },
          { value: "json", label: "JSON" },
          { value: "changes", label: "Changes" },
        ]}
        style={{ alignSelf: "flex-start" }}
      />
      {mode === "form" && (
        <DocumentForm
          key={`form ${value.edition}`}
          kind={kind}
          text={value.text}
          contractText={props.contractText}
          problems={problems}
          onChange={(text) => onChange({ ...value, text })}
        />
      )}
      {mode === "json" && (
        <JsonEditor
          label={`${title} as JSON`}
          text={value.text}
          problems={problems}
          onChange={(text) => onChange({ ...value, text })}
        />
      )}
      {mode === "changes" &&
        (before === null ? (
          <Text size="sm">There is no version before this one to compare with.</Text>
        ) : (
          <ChangesView
            before={before.text}
            after={value.text}
            title={`version ${before.version.version} of ${visibleName(before.name)}`}
          />
        ))}
      <KeepBar
        key={`keep ${value.edition}`}
        label={kind}
        suggested={value.base?.name ?? value.name.replace(/\.json$/i, "")}
        next={value.base === null ? 1 : value.base.version.version + 1}
        onKeep={keep}
        onTakeUp={takeUp}
      />
    </Stack>
  );
}
