"use client";

import { Alert } from "@mantine/core";
import { IconUsersMinus } from "@tabler/icons-react";
import { counted, formatCount } from "../format/format.ts";
import { matchPolicy } from "./policy-match.ts";

/** Says before the round runs that its policy names hardly anybody of its stream. */
export function UnknownTenants({ tenants, policy }: { tenants: readonly string[]; policy: string }) {
  const match = matchPolicy(tenants, policy);
  if (match === null || 2 * match.named >= match.requests) return null;
  const said =
    match.named === 0
      ? `names no tenant of the first ${counted(match.requests, "request")}`
      : `names the tenants of ${formatCount(match.named)} of the first ${counted(match.requests, "request")}`;
  return (
    <Alert
      color="yellow"
      icon={<IconUsersMinus aria-hidden />}
      title={`This policy ${said}`}
      data-testid="unknown-tenants"
    >
      Requests of all others would be rejected as unknown_tenant, and the round would say little about limits.
      Propose limits from the stream, choose another policy, or add an entry for all others (*).
    </Alert>
  );
}
