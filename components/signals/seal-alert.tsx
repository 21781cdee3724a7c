"use client";

import { Alert, List, Text } from "@mantine/core";
import { IconHourglass } from "@tabler/icons-react";
import { type RoundSeal, sealSentence } from "../../contract/seal.ts";
import { RefreshWhile } from "../shell/refresh-while.tsx";
import { LoudAlert } from "./loud-alert.tsx";

function Findings({ findings }: Pick<RoundSeal, "findings">) {
  return (
    <List size="sm" c="inherit">
      {findings.map((finding) => {
        const sentence = sealSentence(finding);
        return (
          <List.Item key={sentence} style={{ overflowWrap: "anywhere" }}>
            {sentence.charAt(0).toUpperCase()}
            {sentence.slice(1)}.
          </List.Item>
        );
      })}
    </List>
  );
}

/** That what is stored is not what was judged, or not known to be: on every page of a round, since nothing there counts then. */
export function SealAlert({ seal: { state, findings } }: { seal: RoundSeal }) {
  if (state === "kept") return null;
  if (state === "checking")
    return (
      <Alert
        color="yellow"
        title="The stored files are being checked"
        icon={<IconHourglass aria-hidden />}
        data-testid="seal-checking"
      >
        <RefreshWhile active />
        <Text size="sm">
          Large files are read once after a start, or a change, before anything here counts as well.
        </Text>
        <Findings findings={findings} />
      </Alert>
    );
  return (
    <LoudAlert title="What is stored is not what was judged" testId="seal-broken">
      <Findings findings={findings} />
      <Text size="sm" c="inherit">
        What this round was found to be counts no longer, and its signals say nothing. Figures below are those
        that were stored. The inputs, where they are whole, can be run as a new round.
      </Text>
    </LoudAlert>
  );
}
