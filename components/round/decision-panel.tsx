"use client";

import { Anchor, Text } from "@mantine/core";
import Link from "next/link";
import type { DecisionRow } from "../../contract/round-view.ts";
import type { Reason } from "../../contract/verdicts.ts";
import { ClauseText } from "../clause/clause-text.tsx";
import { formatTokens } from "../format/format.ts";
import { Name } from "../name/name.tsx";
import { Derivations } from "./derivations.tsx";
import { OpenedPanel } from "./opened-panel.tsx";
import { RoundTime } from "./round-clock.tsx";
import { VerdictText } from "./verdict-text.tsx";

/** Why a request without a bucket was not served (§3.6). */
const UNSERVED: Partial<Record<Reason, string>> = {
  denylisted:
    "Its tenant is on the denylist: it has no bucket, and no change of time or tokens would serve it (§3.6).",
  unknown_tenant:
    "Its tenant is neither listed nor covered by a template: it has no bucket; only a policy that names it would serve it (§3.6).",
};

/** One decision, explained: what was asked, how it was decided by either side, and what would have turned it. */
export function DecisionPanel({
  row,
  apiPath,
  basePath,
  onClose,
}: {
  row: DecisionRow;
  apiPath: string;
  basePath: string;
  onClose: () => void;
}) {
  const unserved = row.reason === null ? undefined : UNSERVED[row.reason];
  return (
    <OpenedPanel label="The opened decision" name={row.req_id} max={200} gap="xs" onClose={onClose}>
      <Text size="sm">
        <VerdictText verdict={row.verdict} /> · {formatTokens(row.cost)} tokens, {row.mode}, at{" "}
        <RoundTime ms={row.arrival_ms} />, by{" "}
        {row.tier_rank === null ? (
          <Name value={row.tenant} />
        ) : (
          <Anchor
            component={Link}
            href={`${basePath}/buckets?tenant=${encodeURIComponent(row.tenant)}`}
            inherit
          >
            <Name isLinked value={row.tenant} />
          </Anchor>
        )}
      </Text>
      {unserved === undefined ? (
        <Derivations apiPath={apiPath} basePath={basePath} req_id={row.req_id} />
      ) : (
        <Text size="sm">
          <ClauseText text={unserved} />
        </Text>
      )}
    </OpenedPanel>
  );
}
