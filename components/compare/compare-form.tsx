"use client";

import { Anchor, Button, Fieldset, Group, NativeSelect, SimpleGrid, Stack, Text } from "@mantine/core";
import Link from "next/link";
import { useRouter } from "next/navigation";
import { useState } from "react";
import type { InputProblem } from "../../contract/input.ts";
import { visibleName } from "../name/visible-name.ts";
import { DocumentField, type DocumentValue } from "../new-round/document-field.tsx";
import { ProblemList } from "../new-round/problem-list.tsx";
import { LiveControls } from "../shell/live-controls.tsx";
import type { Told } from "../shell/told.tsx";
import { CompareButton } from "./compare-button.tsx";
import { SideMark } from "./side-mark.tsx";

type Started = { ok: true; id: string } | { ok: false; problems: InputProblem[] };

/** Chooses what is compared: two rounds, or a round's stream under another policy. */
export function CompareForm({
  rounds,
  a: askedA,
  b: askedB,
  policy: scenarioPolicy,
  compare,
  underPolicy,
}: {
  rounds: { id: string; name: string }[];
  a: string;
  b: string;
  policy: DocumentValue;
  /** Starts a comparison, or finds it, and goes there. */
  compare: (a: string, b: string) => Promise<Told>;
  underPolicy: (a: string, policy: DocumentValue) => Promise<Started>;
}) {
  const router = useRouter();
  const a = askedA;
  const [b, setB] = useState(askedB || (rounds.find(({ id }) => id !== askedA)?.id ?? askedA));
  const [policy, setPolicy] = useState(scenarioPolicy);
  const [problems, setProblems] = useState<InputProblem[]>([]);
  const [isBusy, setBusy] = useState(false);
  const data = rounds.map(({ id, name }) => ({ value: id, label: visibleName(name).slice(0, 120) }));
  const run = async () => {
    setBusy(true);
    setProblems([]);
    const started = await underPolicy(a, policy);
    const told = started.ok ? await compare(a, started.id) : null;
    if (!started.ok) setProblems(started.problems);
    else if (told !== null) setProblems([{ file: "comparison", path: "", message: told }]);
    setBusy(false);
  };
  if (rounds.length === 0) return <Text>There is no round yet: run two, and see here what differs.</Text>;
  return (
    <LiveControls>
      <Stack gap="md" maw={1200}>
        <Text size="sm">
          A log, or a stream, is compared once there is a round of it:{" "}
          <Anchor component={Link} href="/rounds/new" size="sm" underline="always">
            make one
          </Anchor>
          .
        </Text>
        <Fieldset legend="Two rounds">
          <SimpleGrid cols={{ base: 1, md: 2 }}>
            <Group gap="xs" wrap="nowrap" align="flex-end">
              <SideMark side="A" />
              <NativeSelect
                label="Round A"
                data={data}
                value={a}
                // The page is read again: what stands below is this round's policy.
                onChange={(event) =>
                  router.replace(`/compare?a=${encodeURIComponent(event.currentTarget.value)}`)
                }
                style={{ flex: 1, minWidth: 0 }}
              />
            </Group>
            <Group gap="xs" wrap="nowrap" align="flex-end">
              <SideMark side="B" />
              <NativeSelect
                label="Round B"
                data={data}
                value={b}
                onChange={(event) => setB(event.currentTarget.value)}
                style={{ flex: 1, minWidth: 0 }}
              />
            </Group>
          </SimpleGrid>
          <Group mt="sm">
            <CompareButton action={compare.bind(null, a, b)} disabled={a === "" || b === ""}>
              Compare
            </CompareButton>
            <CompareButton
              action={compare.bind(null, b, a)}
              disabled={a === "" || b === ""}
              variant="default"
            >
              Turn A and B round
            </CompareButton>
          </Group>
        </Fieldset>
        <Fieldset legend="One stream under two policies">
          <Stack gap="sm">
            <Text size="sm">
              Round A's stream and contract are run again under this policy, as an honest round of its own:
              that is B.
            </Text>
            <DocumentField
              label="Policy of B"
              value={policy}
              scenario={scenarioPolicy}
              onChange={setPolicy}
            />
            <ProblemList title="Round B was not started" problems={problems} />
            <Group>
              <Button onClick={run} loading={isBusy} disabled={a === ""}>
                Run B and compare
              </Button>
            </Group>
          </Stack>
        </Fieldset>
      </Stack>
    </LiveControls>
  );
}
