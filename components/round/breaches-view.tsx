"use client";

import { Alert, Paper, Stack, Text, Title } from "@mantine/core";
import type { GroupView, TenantRow } from "../../contract/round-view.ts";
import type { StudyItem } from "../../contract/study.ts";
import type { BreachWitness } from "../../contract/witness.ts";
import { ClauseText } from "../clause/clause-text.tsx";
import { ExportLinks } from "../export/export-links.tsx";
import { counted, formatCount, formatTokens } from "../format/format.ts";
import { Name } from "../name/name.tsx";
import { visibleName } from "../name/visible-name.ts";
import { GroupsTable } from "./groups-table.tsx";
import { RoundTime } from "./round-clock.tsx";
import { type WitnessActions, WitnessView } from "./witness-view.tsx";

interface Breach {
  group: GroupView;
  tenant: TenantRow | null;
  /** Debits of the tenant before it, the latest first. */
  debits: GroupView[];
  /** Whether both sides found it. */
  isAgreed: boolean;
  /** Whether there is only the reference's side: the report was made elsewhere. */
  isAudit: boolean;
  /** The witness of the tenant's first breach, beside that breach; null: nobody looked for it. */
  witness: StudyItem<BreachWitness> | null | undefined;
}

function BreachCard({
  group,
  tenant,
  debits,
  isAgreed,
  isAudit,
  witness,
  apiPath,
  actions,
}: Breach & { apiPath: string; actions: WitnessActions | undefined }) {
  // Regions are told apart by their names: a page holds many breaches.
  const place = `of ${visibleName(group.tenant)}, ${group.source} ${formatCount(group.position + 1)}`;
  return (
    <Paper withBorder p="sm" component="article">
      <Title order={2} size="h4">
        <Name value={group.tenant} max={60} /> at <RoundTime ms={group.time_ms} />
      </Title>
      <Text size="sm">
        Balance {formatTokens(Math.max(group.signed_balance, 0))}, reserve{" "}
        {formatTokens(tenant?.reserve_tokens ?? 0)}, required {formatTokens(group.required)}: the group took
        the balance to {formatTokens(group.signed_after)} (<ClauseText text="§3.4 step 2" />
        ).
      </Text>
      {!isAgreed && !isAudit && (
        <Alert color="red" my="xs" title={`Only the ${group.source} found this breach`}>
          {group.source === "reference"
            ? "The report does not mark it: a silent breach, or a group that was decided otherwise."
            : "The reference does not find it: the report marks a breach that the contract does not see."}
        </Alert>
      )}
      <GroupsTable groups={[group]} label={`The breaching group ${place}`} />
      {debits.length > 0 && (
        <>
          <Title order={3} size="h5" mt="xs">
            Debits that led there, the latest first
          </Title>
          <GroupsTable groups={debits} label={`Debits before the breach ${place}`} />
        </>
      )}
      {witness !== undefined && (
        <WitnessView
          label={`Witness ${place}`}
          tenant={group.tenant}
          item={witness}
          apiPath={apiPath}
          actions={actions}
        />
      )}
    </Paper>
  );
}

/** Each group that broke a reserve floor, as either side found it. */
export function BreachesView({
  rows,
  total,
  apiPath,
  actions,
}: {
  rows: Breach[];
  total: number;
  apiPath: string;
  actions?: WitnessActions;
}) {
  // A breach that both sides found is shown once, as the engine decided it.
  const shown = rows.filter(({ group, isAgreed }) => !isAgreed || group.source === "engine");
  if (shown.length === 0)
    return (
      <Stack gap="xs">
        <Text fw={600}>No reserve was broken.</Text>
        <Text c="dimmed">
          A guaranteed tenant whose balance does not cover a group may still borrow while the balance is at or
          above its reserve; that breaks the reserve floor, and is listed here with the debits that led there.
        </Text>
      </Stack>
    );
  return (
    <Stack gap="md">
      <Text fw={600}>
        {total > rows.length
          ? `The first ${counted(shown.length, "breach", "breaches")} of ${counted(total, "breaching group")} of both sides; exports hold them all`
          : counted(shown.length, "breach", "breaches")}
      </Text>
      <ExportLinks path={`${apiPath}/export/breaches`} />
      {shown.map((breach) => (
        <BreachCard
          key={`${breach.group.source} ${breach.group.position}`}
          {...breach}
          apiPath={apiPath}
          actions={actions}
        />
      ))}
    </Stack>
  );
}
