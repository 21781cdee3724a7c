"use client";

import { Alert, Group, Stack, Text } from "@mantine/core";
import { useEffect, useState } from "react";
import type { GateState } from "../../contract/gate-admin.ts";
import type { GateAnswer, GateOverview } from "../../contract/gate-console.ts";
import { counted } from "../format/format.ts";
import { Name } from "../name/name.tsx";
import { Moment } from "../shell/moment.tsx";
import { GateLamps } from "./gate-lamps.tsx";
import { GateQueries } from "./gate-queries.tsx";
import { NoGate } from "./no-gate.tsx";
import { withLook } from "./rate-series.ts";
import { ServiceCard } from "./service-card.tsx";
import { useOverview } from "./use-overview.ts";

function Live({ first }: { first: GateAnswer<GateOverview> }) {
  const { data, isError } = useOverview(first);
  const [looks, setLooks] = useState<readonly GateState[]>([]);
  useEffect(() => {
    if (data.kind === "answer") setLooks((known) => withLook(known, data.value.state));
  }, [data]);
  if (isError)
    return (
      <Alert color="red" title="The console does not answer" role="alert">
        Nothing is known of the gate now. The page asks on.
      </Alert>
    );
  if (data.kind !== "answer") return <NoGate answer={data} />;
  const { state, versions } = data.value;
  const live = versions.find(({ version }) => version === state.version);
  return (
    <Stack gap="md">
      <Group gap="lg">
        <Text size="sm">
          Version {state.version}
          {live !== undefined && live.note !== "" && (
            <>
              {" "}
              (<Name value={live.note} max={80} />)
            </>
          )}
          , live since <Moment at_ms={state.published_ms} />
        </Text>
        <Text size="sm">
          {counted(state.updates.published, "update")} published, {state.updates.refused} refused
        </Text>
        <Text size="sm" suppressHydrationWarning>
          as of <Moment at_ms={state.now_ms} />
        </Text>
      </Group>
      <GateLamps state={state} />
      {state.services.map((service) => (
        <ServiceCard key={service.name} service={service} looks={looks} />
      ))}
    </Stack>
  );
}

/** The live gate, asked again every two seconds. */
export function LiveView({ first }: { first: GateAnswer<GateOverview> }) {
  return (
    <GateQueries>
      <Live first={first} />
    </GateQueries>
  );
}
