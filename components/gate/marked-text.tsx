"use client";

import { Input } from "@mantine/core";
import { useRef } from "react";
import type { InputProblem } from "../../contract/input.ts";

const LINE_PX = 20;
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
  const lines = value.split("\n");
  const byLine = new Map(problems.map((problem) => [problem.line, problem]));
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
    </Input.Wrapper>
  );
}
