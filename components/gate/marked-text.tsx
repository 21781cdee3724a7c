"use client";

import { Button, Group, Input } from "@mantine/core";
import { useRef } from "react";
import type { InputProblem } from "../../contract/input.ts";

const LINE_PX = 20;
/** Most lines with a problem that a button leads to. */
const JUMPS_MAX = 8;
const MONO = {
  fontFamily: "var(--mantine-font-family-monospace)",
  fontSize: "0.8rem",
  lineHeight: `${LINE_PX}px`,
};

/** A text with numbered lines; a line that has a problem says so beside it, and what it is on hover. */
export function MarkedText(props: {
  label: string;
  value: string;
  problems: readonly InputProblem[];
  rows: number;
  onChange: (value: string) => void;
}) {
  const { label, value, problems, rows, onChange } = props;
  const gutter = useRef<HTMLDivElement>(null);
  const area = useRef<HTMLTextAreaElement>(null);
  const lines = value.split("\n");
  const byLine = new Map(problems.map((problem) => [problem.line, problem]));
  const marked = [...byLine.keys()].filter((line) => line !== undefined).slice(0, JUMPS_MAX);
  const goTo = (line: number) => {
    const start = lines.slice(0, line - 1).reduce((sum, text) => sum + text.length + 1, 0);
    area.current?.focus();
    area.current?.setSelectionRange(start, start + lines[line - 1]!.length);
    if (area.current !== null) area.current.scrollTop = Math.max(0, (line - 4) * LINE_PX);
  };
  const height = rows * LINE_PX + 16;
  return (
    <Input.Wrapper label={label}>
      <div style={{ display: "flex", border: "1px solid var(--mantine-color-default-border)", height }}>
        <div
          ref={gutter}
          aria-hidden
          style={{ ...MONO, overflow: "hidden", padding: "8px 6px", textAlign: "right", flexShrink: 0 }}
        >
          {lines.map((_, index) => {
            const problem = byLine.get(index + 1);
            return (
              <div
                // biome-ignore lint/suspicious/noArrayIndexKey: a line is its number
                key={index}
                data-problem={problem === undefined ? undefined : ""}
                title={problem && `${problem.path}: ${problem.message}`}
                style={
                  problem === undefined
                    ? { color: "var(--mantine-color-dimmed)" }
                    : { color: "var(--unwell)", fontWeight: 700 }
                }
              >
                {problem === undefined ? "" : "▶ "}
                {index + 1}
              </div>
            );
          })}
        </div>
        <textarea
          ref={area}
          aria-label={label}
          aria-invalid={problems.length > 0}
          value={value}
          spellCheck={false}
          wrap="off"
          onChange={(event) => onChange(event.currentTarget.value)}
          onScroll={(event) => {
            if (gutter.current !== null) gutter.current.scrollTop = event.currentTarget.scrollTop;
          }}
          style={{
            ...MONO,
            flex: 1,
            minWidth: 0,
            padding: 8,
            border: 0,
            resize: "none",
            background: "var(--mantine-color-body)",
            color: "var(--mantine-color-text)",
          }}
        />
      </div>
      {marked.length > 0 && (
        <Group gap="xs" mt={6}>
          {marked.map((line) => (
            <Button key={line} size="compact-sm" variant="default" onClick={() => goTo(line)}>
              Go to line {line}
            </Button>
          ))}
        </Group>
      )}
    </Input.Wrapper>
  );
}
