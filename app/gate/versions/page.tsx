import type { Metadata } from "next";
import { connection } from "next/server";
import { GateFrame } from "../../../components/gate/gate-frame.tsx";
import { NoGate } from "../../../components/gate/no-gate.tsx";
import { VersionList } from "../../../components/gate/version-list.tsx";
import { Shell } from "../../../components/shell/shell.tsx";
import { gateOverview } from "../../../lib/gate-console/gate-console.ts";
import { readVersion, rollBackTo } from "../actions.ts";

export const metadata: Metadata = { title: "Versions of the gate" };

export default async function GateVersionsPage() {
  await connection();
  const overview = await gateOverview();
  return (
    <Shell>
      <GateFrame tab="versions">
        {overview.kind === "answer" ? (
          <VersionList
            versions={overview.value.versions}
            refusals={overview.value.state.refusals}
            live={overview.value.state.version}
            actions={{ readVersion, rollBackTo }}
          />
        ) : (
          <NoGate answer={overview} />
        )}
      </GateFrame>
    </Shell>
  );
}
