"use client";

import { Alert, List, Text } from "@mantine/core";
import { IconAlertCircle } from "@tabler/icons-react";
import type { InputProblem } from "../../contract/input.ts";
import { Name } from "../name/name.tsx";

/** Every problem with its file, line and field (§1). */
export function ProblemList({ title, problems }: { title: string; problems: InputProblem[] }) {
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
    </Alert>
  );
}
