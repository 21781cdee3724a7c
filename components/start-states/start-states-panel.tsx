"use client";

import { Anchor, Text, Title } from "@mantine/core";
import Link from "next/link";
import type { StartStates } from "../../contract/start-states.ts";
import type { StudyItem } from "../../contract/study.ts";
import { startSentence } from "./start-states-view.tsx";

/** Why it is not known whether decisions depend on the start: mostly, nobody asked. */
function unknownText(study: StudyItem<StartStates> | null): string {
  if (study === null) return "was not asked yet";
  if (study.state === "failed" || study.state === "cancelled") return "could not be worked out";
  return "is being worked out";
}

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
          ? `Whether decisions depend on how full the buckets were at the start ${unknownText(study)}.`
          : startSentence(found)}
      </Text>
      <Anchor component={Link} href={`${basePath}/start`} size="sm" prefetch={false}>
        {study === null ? "Start states: decide from full and from empty" : "Start states"}
      </Anchor>
    </section>
  );
}
