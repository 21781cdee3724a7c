"use client";

import { Button, FileButton, Group, Stack, Text, Textarea } from "@mantine/core";
import { useState } from "react";
import { readText } from "../documents/read-text.ts";

/** A contract or policy that is typed, taken from a file, or from the scenario. */
export interface DocumentValue {
  name: string;
  text: string;
}

/** The text of a document with ways to fill it. */
export function DocumentField(props: {
  label: string;
  value: DocumentValue;
  scenario: DocumentValue;
  onChange: (value: DocumentValue) => void;
}) {
  const { label, value, scenario, onChange } = props;
  const [problem, setProblem] = useState<string | null>(null);
  const choose = async (file: File | null) => {
    if (file === null) return;
    const read = await readText(file);
    setProblem("problem" in read ? read.problem : null);
    if ("text" in read) onChange({ name: file.name, text: read.text });
  };
  return (
    <Stack gap={6}>
      <Textarea
        label={label}
        description={value.name}
        value={value.text}
        onChange={(event) => onChange({ ...value, text: event.currentTarget.value })}
        autosize
        minRows={8}
        maxRows={22}
        spellCheck={false}
        styles={{ input: { fontFamily: "var(--mantine-font-family-monospace)", fontSize: "0.8rem" } }}
      />
      <Group gap="xs">
        <FileButton
          onChange={choose}
          accept=".json,application/json"
          inputProps={{ "aria-label": `${label} file` }}
        >
          {(button) => (
            <Button {...button} variant="default" size="xs">
              From a file
            </Button>
          )}
        </FileButton>
        <Button variant="default" size="xs" onClick={() => onChange(scenario)}>
          From the scenario
        </Button>
      </Group>
      {problem !== null && (
        <Text size="sm" c="var(--unwell)" role="alert">
          {problem}
        </Text>
      )}
    </Stack>
  );
}
