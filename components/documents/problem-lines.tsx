"use client";

import { Anchor, List, Text } from "@mantine/core";
import type { InputProblem } from "../../contract/input.ts";
import { formatCount } from "../format/format.ts";
import { Name } from "../name/name.tsx";

const SHOWN = 50;

/** Problems of a document, each with its line and field; a line can lead to its place. */
export function ProblemLines({
  problems,
  onLine,
}: {
  problems: readonly InputProblem[];
  onLine?: (line: number) => void;
}) {
  if (problems.length === 0) return null;
  return (
    <List size="sm" spacing={2} aria-label="Problems" listStyleType="none">
      {problems.slice(0, SHOWN).map(({ line, path, message }) => (
        <List.Item key={`${line} ${path} ${message}`}>
          {line !== undefined &&
            (onLine === undefined ? (
              `line ${line}: `
            ) : (
              <>
                <Anchor component="button" type="button" size="sm" onClick={() => onLine(line)}>
                  line {line}
                </Anchor>
                {": "}
              </>
            ))}
          {path !== "" && (
            <>
              <Name value={path} max={80} />{" "}
            </>
          )}
          <Text component="span" size="sm" c="var(--unwell)">
            {message}
          </Text>
        </List.Item>
      ))}
      {problems.length > SHOWN && <List.Item>and {formatCount(problems.length - SHOWN)} more</List.Item>}
    </List>
  );
}
