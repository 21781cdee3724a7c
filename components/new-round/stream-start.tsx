"use client";

import { Stack, Table, Text } from "@mantine/core";
import { useState } from "react";
import type { Preset, StartingPoint, StartingPointResult } from "../../contract/starting-point.ts";
import { counted, formatCount, formatSpan, formatTokens } from "../format/format.ts";
import { Name } from "../name/name.tsx";
import { inWords } from "../shell/unanswered.ts";
import { StreamPresets } from "./stream-presets.tsx";

/** Tokens as people compare them; the policy's text has them whole. */
const rough = (tokens: number): string => formatTokens(Number(tokens.toPrecision(3)));

/** The template's row. */
const othersText = (tenants: number): string =>
  tenants === 0 ? "any other, each" : `the ${formatCount(tenants)} others, each`;

/** What was seen of each tenant, what is proposed, and what that would have done. */
function Proposed({ start }: { start: StartingPoint }) {
  const refused = start.proposed.reduce((sum, { rejected }) => sum + rejected, 0);
  const queued = start.proposed.reduce((sum, row) => sum + row.queued, 0);
  return (
    <section aria-label="Proposed limits">
      <Text size="sm">
        From {start.is_whole ? "all" : "the first"} {counted(start.requests, "request")} of{" "}
        {counted(start.tenants, "tenant")} over {formatSpan(start.span_ms)}. Capacity: the tokens of a second,
        at the {start.burst_percentile}th percentile of a tenant's seconds with requests, never less than its
        dearest request. Rate: of a minute at the {start.sustained_percentile}th percentile of its minutes
        with requests, never less than its mean. Both rounded up to two digits. Named are tenants with a
        hundredth of all tokens or more, at most twenty.
      </Text>
      <Text size="sm" fw={600}>
        These limits would have refused {formatCount(refused)} of {counted(start.requests, "request")} and
        queued {formatCount(queued)}.
      </Text>
      <div className="scroll-region" tabIndex={0} role="group" aria-label="Tenants proposed">
        <Table fz="sm" verticalSpacing={2}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Tenant</Table.Th>
              <Table.Th ta="right">Requests</Table.Th>
              <Table.Th ta="right">Burst, a second</Table.Th>
              <Table.Th ta="right">Sustained, a second</Table.Th>
              <Table.Th ta="right">Capacity</Table.Th>
              <Table.Th ta="right">Rate</Table.Th>
              <Table.Th ta="right">Accepted</Table.Th>
              <Table.Th ta="right">Queued</Table.Th>
              <Table.Th ta="right">Refused</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {start.proposed.map((row) => (
              <Table.Tr key={row.tenant}>
                <Table.Td>
                  {row.tenant === "*" ? othersText(row.tenants) : <Name value={row.tenant} />}
                </Table.Td>
                <Table.Td ta="right">{formatCount(row.requests)}</Table.Td>
                <Table.Td ta="right">{rough(row.burst)}</Table.Td>
                <Table.Td ta="right">{rough(row.sustained)}</Table.Td>
                <Table.Td ta="right">{formatTokens(row.capacity)}</Table.Td>
                <Table.Td ta="right">{formatTokens(row.rate_per_sec)}</Table.Td>
                <Table.Td ta="right">{formatCount(row.accepted)}</Table.Td>
                <Table.Td ta="right">{formatCount(row.queued)}</Table.Td>
                <Table.Td ta="right">{formatCount(row.rejected)}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </div>
    </section>
  );
}

/** Starting points: a contract and a policy proposed from the stream, which then stand in their fields to be changed. */
export function StreamStart(props: {
  hindrance: string | null;
  propose: (preset: Preset) => Promise<StartingPointResult>;
  onProposed: (documents: { contract: string; policy: string }) => void;
}) {
  const { hindrance, propose, onProposed } = props;
  const [isBusy, setBusy] = useState<Preset | null>(null);
  const [found, setFound] = useState<StartingPointResult | null>(null);
  const ask = async (preset: Preset) => {
    setBusy(preset);
    setFound(null);
    try {
      const result = await propose(preset);
      setFound(result);
      if (result.ok) onProposed(result.start);
    } catch (error) {
      setFound({ ok: false, reason: `could not be looked at: ${inWords(error)}; nothing was changed` });
    }
    setBusy(null);
  };
  return (
    <Stack gap="sm">
      <StreamPresets isBusy={isBusy} hindrance={hindrance} onPropose={ask} />
      <div aria-live="polite">
        {found?.ok === false && (
          <Text size="sm" c="var(--unwell)">
            The stream {found.reason}.
          </Text>
        )}
        {found?.ok === true && <Proposed start={found.start} />}
      </div>
    </Stack>
  );
}
