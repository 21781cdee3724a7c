import { Stack, Text, Title } from "@mantine/core";
import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { connection } from "next/server";
import { CompareForm } from "../../components/compare/compare-form.tsx";
import { CompareView } from "../../components/compare/compare-view.tsx";
import { Shell } from "../../components/shell/shell.tsx";
import { comparisons, roundsService } from "../../lib/rounds/shared-service.ts";
import type { SearchParams } from "../rounds/list-query.ts";
import { compareRounds, runUnderPolicy } from "./actions.ts";
import { compareQuery } from "./compare-query.ts";

export const metadata: Metadata = { title: "Compare rounds" };

/** Rounds offered, the latest. */
const ROUNDS_OFFERED = 100;

async function choice({ a, b }: { a: string; b: string }) {
  const service = await roundsService();
  const latest = await service.list({ sort: "created", dir: "desc", limit: ROUNDS_OFFERED, offset: 0 });
  const rounds = latest.rows.map(({ id, name }) => ({ id, name }));
  const known = a === "" ? latest.rows[0]?.id : a;
  const asked = known === undefined ? null : await service.round(known);
  if (asked !== null && !rounds.some(({ id }) => id === asked.id))
    rounds.push({ id: asked.id, name: asked.name });
  const inputs = asked === null ? null : await service.inputs(asked.id);
  const policy =
    inputs === null || inputs.policy.text === null
      ? { name: "policy.json", text: (await service.scenario()).policy }
      : { name: inputs.policy.name, text: inputs.policy.text };
  return (
    <Stack gap="md">
      <Title order={1} size="h2">
        Compare rounds
      </Title>
      <Text maw={800}>
        Which requests are decided otherwise, for whom, and why: two rounds, or one stream under two policies.
      </Text>
      <CompareForm
        key={asked?.id ?? ""}
        rounds={rounds}
        a={asked?.id ?? ""}
        b={b}
        policy={policy}
        compare={compareRounds}
        underPolicy={runUnderPolicy}
      />
    </Stack>
  );
}

export default async function ComparePage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  await connection();
  const query = compareQuery(await searchParams);
  if (query.a === "" || query.b === "") return <Shell>{await choice(query)}</Shell>;
  const found = await (await comparisons()).beside(query.a, query.b);
  if (found === null) notFound();
  return (
    <Shell>
      <CompareView {...found} query={query} compare={compareRounds} />
    </Shell>
  );
}
