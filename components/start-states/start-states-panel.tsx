"use client";

import { Anchor, Text, Title } from "@mantine/core";
import Link from "next/link";
import type { StartStates } from "../../contract/start-states.ts";
import type { StudyItem } from "../../contract/study.ts";
import { startSentence } from "./start-states-view.tsx";

/** What is known of a round's start, on its first page, and the way to more. */
export function StartStatesPanel({
  study,
  basePath,
}: {
  study: StudyItem<StartStates> | null;
  basePath: string;
}) {
  const found = study?.result ?? null;
  return (
    <section aria-label="Start states">
      <Title order={2} size="h4">
        Start
      </Title>
      <Text size="sm">
        {found === null
          ? "Whether decisions depend on how full the buckets were at the start was not found."
          : startSentence(found)}
      </Text>
      <Anchor component={Link} href={`${basePath}/start`} size="sm" prefetch={false}>
        Start states
      </Anchor>
    </section>
  );
}
