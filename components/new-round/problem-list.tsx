"use client";

import { Alert, Button, List, Text } from "@mantine/core";
import { IconAlertCircle } from "@tabler/icons-react";
import type { InputProblem } from "../../contract/input.ts";
import { Name } from "../name/name.tsx";

/** Every problem with its file, line and field (§1). */
export function ProblemList({
  title,
  problems,
  onRetry,
}: {
  title: string;
  problems: InputProblem[];
  /** Tries the same once more, where that can help; absent where something must be changed first. */
  onRetry?: (() => void) | undefined;
}) {
  if (problems.length === 0) return null;
  return (
    <Alert color="red" title={title} icon={<IconAlertCircle aria-hidden />} role="alert">
      <List size="sm" spacing={4}>
        {problems.map(({ file, line, path, message }) => (
          <List.Item key={`${file} ${line} ${path} ${message}`}>
            <Name value={file} max={60} />
            {line === undefined ? "" : `, line ${line}`}
            {path === "" ? "" : ", "}
            {path !== "" && <Name value={path} max={120} />}
            <Text component="span" size="sm">
              : {message}
            </Text>
          </List.Item>
        ))}
      </List>
      {onRetry !== undefined && (
        <Button size="xs" variant="default" mt="xs" onClick={onRetry}>
          Try again
        </Button>
      )}
    </Alert>
  );
}
