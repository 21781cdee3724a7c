"use client";

import { Anchor, Group, Skeleton, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import type { GroupView } from "../../contract/round-view.ts";
import { Name } from "../name/name.tsx";
import { NotRead } from "../shell/not-read.tsx";
import { GroupsTable } from "./groups-table.tsx";
import { RowQueries } from "./row-queries.tsx";

interface DerivationsProps {
  apiPath: string;
  basePath: string;
  req_id: string;
}

function Both({ apiPath, basePath, req_id }: DerivationsProps) {
  const { data, error, refetch } = useQuery({
    queryKey: [apiPath, "derivation", req_id],
    queryFn: async (): Promise<{
      engine: GroupView | null;
      reference: GroupView | null;
      isAudit: boolean;
    }> => {
      const response = await fetch(`${apiPath}/derivation?req=${encodeURIComponent(req_id)}`);
      if (!response.ok) throw new Error(`The server answered ${response.status}`);
      return response.json();
    },
  });
  const isAudit = data?.isAudit === true;
  const groups = [data?.engine ?? null, data?.reference ?? null].filter((group) => group !== null);
  return (
    <section aria-live="polite">
      <Group justify="space-between">
        <Title order={3} size="h5">
          Both derivations of <Name value={req_id} />
        </Title>
        <Group>
          <Anchor component={Link} href={`${basePath}/dispatch?req=${encodeURIComponent(req_id)}`} size="sm">
            In the dispatch
          </Anchor>
        </Group>
      </Group>
      {error !== null && (
        <NotRead what="The derivations could not be read" error={error} onRetry={() => void refetch()} />
      )}
      {data === undefined && error === null && <Skeleton height={60} />}
      {data !== undefined && <GroupsTable groups={groups} label="Derivations" />}
      {data !== undefined && (data.engine === null) !== (data.reference === null) && (
        <Text size="sm">
          {isAudit
            ? "The reference's arithmetic: a report that was made elsewhere holds none."
            : `Only the ${data.engine === null ? "reference" : "engine"} decided it in a bucket: the other does not serve its tenant (§3.6).`}
        </Text>
      )}
    </section>
  );
}

/** How engine and reference each came to the decision of one request. */
export function Derivations(props: DerivationsProps) {
  return (
    <RowQueries>
      <Both {...props} />
    </RowQueries>
  );
}
