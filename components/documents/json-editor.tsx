"use client";

import { Box, Group, Stack, Textarea } from "@mantine/core";
import { useMemo, useRef, useState } from "react";
import type { InputProblem } from "../../contract/input.ts";
import { ProblemLines } from "./problem-lines.tsx";

const LINE_PX = 18;
const HEIGHT_PX = 420;
/** Lines of the margin that are drawn beyond what is seen. */
const SPARE = 10;

/** The numbers of the lines in sight; a line with a problem is marked. */
function Margin({ lines, top_px, marked }: { lines: number; top_px: number; marked: ReadonlySet<number> }) {
  const first = Math.max(0, Math.floor(top_px / LINE_PX) - SPARE);
  const last = Math.min(lines, Math.ceil((top_px + HEIGHT_PX) / LINE_PX) + SPARE);
  return (
    <Box
      aria-hidden
      w="4rem"
      h={HEIGHT_PX}
      style={{ overflow: "hidden", position: "relative", flexShrink: 0 }}
    >
      {Array.from({ length: last - first }, (_, at) => first + at + 1).map((line) => (
        <Box
          key={line}
          fz="xs"
          ta="right"
          pr={6}
          c={marked.has(line) ? "var(--unwell)" : "dimmed"}
          fw={marked.has(line) ? 700 : 400}
          style={{
            position: "absolute",
            right: 0,
            top: (line - 1) * LINE_PX - top_px + 6,
            lineHeight: `${LINE_PX}px`,
          }}
        >
          {marked.has(line) ? "● " : ""}
          {line}
        </Box>
      ))}
    </Box>
  );
}

/** A document as JSON, with the numbers of its lines; each problem leads to its line. */
export function JsonEditor({
  label,
  text,
  problems,
  onChange,
}: {
  label: string;
  text: string;
  problems: readonly InputProblem[];
  onChange: (text: string) => void;
}) {
  const area = useRef<HTMLTextAreaElement>(null);
  const [top_px, setTop] = useState(0);
  const lines = useMemo(() => text.split("\n").length, [text]);
  const marked = new Set(problems.flatMap(({ line }) => line ?? []));
  const goTo = (line: number) => {
    const start =
      text
        .split("\n")
        .slice(0, line - 1)
        .join("\n").length + (line > 1 ? 1 : 0);
    const end = text.indexOf("\n", start);
    area.current?.focus();
    area.current?.setSelectionRange(start, end < 0 ? text.length : end);
    area.current?.scrollTo({ top: Math.max(0, (line - 5) * LINE_PX) });
  };
  return (
    <Group align="flex-start" gap="md">
      <Group gap={0} wrap="nowrap" align="flex-start" style={{ flex: "1 1 28rem", minWidth: 0 }}>
        <Margin lines={lines} top_px={top_px} marked={marked} />
        <Textarea
          ref={area}
          aria-label={label}
          value={text}
          onChange={(event) => onChange(event.currentTarget.value)}
          onScroll={(event) => setTop(event.currentTarget.scrollTop)}
          error={problems.length > 0}
          spellCheck={false}
          style={{ flex: 1, minWidth: 0 }}
          styles={{
            input: {
              fontFamily: "var(--mantine-font-family-monospace)",
              fontSize: 12,
              lineHeight: `${LINE_PX}px`,
              height: HEIGHT_PX,
              paddingBlock: 6,
              whiteSpace: "pre",
              overflow: "auto",
            },
          }}
        />
      </Group>
      {problems.length > 0 && (
        <Stack style={{ flex: "1 1 18rem" }} gap={4}>
          <ProblemLines problems={problems} onLine={goTo} />
        </Stack>
      )}
    </Group>
  );
}
