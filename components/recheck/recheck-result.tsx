"use client";

import { Alert, Stack, Table, Text } from "@mantine/core";
import { IconCircleCheck, IconCircleX, IconHelpCircle } from "@tabler/icons-react";
import type { HealthClaim } from "../../contract/bundle.ts";
import type { DigestFinding, Recheck } from "../../contract/recheck.ts";
import { counted, formatCount, formatSpan } from "../format/format.ts";
import { ResultText } from "../round/result-text.tsx";
import { foundText } from "../signals/found-text.ts";
import { LoudAlert } from "../signals/loud-alert.tsx";
import { differencesIn, disagreements, type ServerClaims } from "./claim-verdict.ts";
import { DifferenceTable } from "./difference-table.tsx";

type Judged = Exclude<Recheck, { outcome: "unjudged" }>;

/** What nobody can overlook: the server says one thing, and this browser found another. */
function DisagreementBanner({ sentences, speaker }: { sentences: string[]; speaker: string }) {
  if (sentences.length === 0) return null;
  return (
    <LoudAlert
      title={
        speaker === "The server's"
          ? "This browser and the server disagree"
          : "This browser and the bundle disagree"
      }
      testId="server-disagrees"
    >
      {sentences.map((sentence) => (
        <div key={sentence}>{sentence}</div>
      ))}
    </LoudAlert>
  );
}

function headline({ outcome, found, digests, requests }: Judged): string {
  const read = `${counted(requests, "request")} recomputed here`;
  if (outcome === "agrees")
    return found.status === 0
      ? `${read}: all ${counted(found.checks, "check")} agree.`
      : `${read}: all ${counted(found.checks, "check")} agree, but lines of the stream were left out, so the round is not clean.`;
  const total = differencesIn(found);
  const others = digests.filter((digest) => digest.claimed !== digest.found).length;
  if (total > 0) return `${read}: ${foundText(found)} in ${counted(found.checks, "check")}.`;
  if (others > 0)
    return `${read}: every field agrees, but ${counted(others, "file")} ${others === 1 ? "is" : "are"} not what the bundle names.`;
  return `${read}: the two comparisons made here do not agree with each other.`;
}

function Verdict({ recheck }: { recheck: Judged }) {
  const isWell = recheck.outcome === "agrees" && recheck.found.status === 0;
  const Icon = isWell ? IconCircleCheck : IconCircleX;
  const color = isWell ? "var(--well)" : "var(--unwell)";
  return (
    <Text
      fw={600}
      c={color}
      style={{ display: "flex", gap: 6, alignItems: "center" }}
      data-testid="recheck-verdict"
    >
      <Icon size={18} aria-hidden style={{ flexShrink: 0 }} /> {headline(recheck)}
    </Text>
  );
}

function ClaimRow({ speaker, claim }: { speaker: string; claim: HealthClaim }) {
  return (
    <Table.Tr>
      <Table.Th scope="row">{speaker}</Table.Th>
      <Table.Td>{claim.status === 0 ? "well" : "not well"}</Table.Td>
      <Table.Td ta="right">{formatCount(claim.checks)}</Table.Td>
      <Table.Td ta="right">{formatCount(claim.mismatches)}</Table.Td>
      <Table.Td ta="right">{formatCount(claim.indeterminate)}</Table.Td>
    </Table.Tr>
  );
}

/** What is claimed beside what was found here. */
function ClaimTable({
  found,
  claims,
  speaker,
}: {
  found: HealthClaim;
  claims: ServerClaims | null;
  speaker: string;
}) {
  return (
    <section className="scroll-region" tabIndex={0} aria-label="Claims and findings">
      <Table verticalSpacing={2} miw={480}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Who</Table.Th>
            <Table.Th>Says</Table.Th>
            <Table.Th ta="right">Checks</Table.Th>
            <Table.Th ta="right">Mismatches</Table.Th>
            <Table.Th ta="right">Indeterminate</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {claims !== null && <ClaimRow speaker={`${speaker} health`} claim={claims.health} />}
          {claims?.truth && <ClaimRow speaker={`${speaker} recomputation`} claim={claims.truth} />}
          <ClaimRow speaker="This browser" claim={found} />
        </Table.Tbody>
      </Table>
    </section>
  );
}

function DigestTable({ digests }: { digests: DigestFinding[] }) {
  const others = digests.filter(({ claimed, found }) => claimed !== found);
  if (digests.length === 0) return null;
  if (others.length === 0)
    return (
      <Text size="sm">
        <ResultText result="match" /> All {counted(digests.length, "file")} have the SHA-256 that the bundle
        names.
      </Text>
    );
  return (
    <Stack gap={4} role="list" aria-label="Files that were changed">
      {others.map(({ file, claimed, found }) => (
        <Text key={file} size="sm" role="listitem" style={{ overflowWrap: "anywhere" }}>
          <ResultText result="mismatch" /> The {file} was changed after the bundle was made: SHA-256 {found},
          the bundle names {claimed}.
        </Text>
      ))}
    </Stack>
  );
}

/** What a recheck found, beside what is claimed; what could not be judged is said so, and is never green. */
export function RecheckResult({
  recheck,
  took_ms,
  claims,
  diffPath,
  speaker = "The server's",
}: {
  recheck: Recheck;
  took_ms: number;
  claims: ServerClaims | null;
  /** Where the same differences stand in the round's diff; null where there is no such page. */
  diffPath: string | null;
  speaker?: string;
}) {
  if (recheck.outcome === "unjudged")
    return (
      <Alert
        color="gray"
        icon={<IconHelpCircle aria-hidden />}
        title="Cannot be judged here"
        data-testid="recheck-unjudged"
      >
        <Text size="sm">{recheck.message}</Text>
        <Text size="sm">“Could not judge” is not “nothing wrong”.</Text>
      </Alert>
    );
  return (
    <Stack gap="sm" aria-live="polite">
      {claims !== null && (
        <DisagreementBanner speaker={speaker} sentences={disagreements(recheck, claims, speaker)} />
      )}
      <Verdict recheck={recheck} />
      <ClaimTable found={recheck.found} claims={claims} speaker={speaker} />
      <DigestTable digests={recheck.digests} />
      <DifferenceTable recheck={recheck} diffPath={diffPath} />
      <Text size="xs" c="dimmed">
        {formatCount(recheck.outside.compared)} values were compared a second time by the probe's own
        comparison: {counted(recheck.outside.mismatches, "mismatch", "mismatches")}. Took{" "}
        {formatSpan(took_ms)} in this browser.
      </Text>
    </Stack>
  );
}
