"use client";

import { Alert, Code, List, Stack, Text, Title } from "@mantine/core";
import { IconPlugConnectedX } from "@tabler/icons-react";
import type { GateAnswer } from "../../contract/gate-console.ts";
import { Name } from "../name/name.tsx";
import { ProblemList } from "../new-round/problem-list.tsx";

/** How a gate is started that this console finds: another shell does not know where it keeps its data. */
const startCommand = (folder: string): string =>
  `npm run gate -- --config docs/gate.example.json --data '${folder.replaceAll("'", "'\\''")}'`;

/** Why the gate did not answer, and what to do about it. */
export function NoGate({ answer }: { answer: Exclude<GateAnswer<unknown>, { kind: "answer" }> }) {
  if (answer.kind === "refused")
    return <ProblemList title="The gate refused" problems={[...answer.problems]} />;
  if (answer.kind === "unreachable")
    return (
      <Alert
        color="red"
        icon={<IconPlugConnectedX aria-hidden />}
        title="The gate does not answer"
        role="alert"
      >
        <Text size="sm">
          Its admin interface should be at <Name value={answer.url} max={80} />: {answer.message}. Nothing is
          known of what it does now. Start it again, or see its own output for why it ended; this page asks
          on.
        </Text>
      </Alert>
    );
  return (
    <Stack gap="sm" maw={800}>
      <Title order={2} size="h4">
        No gate yet
      </Title>
      <Text>
        The gate is the live limiter: it decides requests as they come, in front of a service or beside a
        proxy, and can be changed, watched and audited here. To start one on this machine:
      </Text>
      {/* A folder may be long: all of the command is seen, and copied as one line. */}
      <Code block style={{ whiteSpace: "pre-wrap", overflowWrap: "anywhere" }}>
        {startCommand(answer.folder)}
      </Code>
      <List size="sm" spacing={4}>
        <List.Item>
          The console looks for it in <Name value={answer.folder} max={100} />, where a gate writes down how
          it is reached: <Code>--data</Code> names that folder. Without it a gate takes{" "}
          <Code>THROTTLE_GATE_DATA</Code>, else <Code>gate</Code> in <Code>THROTTLE_DATA</Code> or{" "}
          <Code>data</Code>, of its own shell.
        </List.Item>
        <List.Item>
          A gate that keeps its data elsewhere: name the folder in <Code>THROTTLE_GATE_DATA</Code>, or its
          admin interface in <Code>THROTTLE_GATE_ADMIN</Code> and its token in{" "}
          <Code>THROTTLE_GATE_TOKEN</Code>.
        </List.Item>
        <List.Item>
          For dry runs and audits the gate must write a decision log: name a folder in <Code>log.folder</Code>{" "}
          of its settings.
        </List.Item>
      </List>
    </Stack>
  );
}
