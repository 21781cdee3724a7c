import type { Metadata } from "next";
import { connection } from "next/server";
import { GateFrame } from "../../components/gate/gate-frame.tsx";
import { LiveView } from "../../components/gate/live-view.tsx";
import { Shell } from "../../components/shell/shell.tsx";
import { gateOverview } from "../../lib/gate-console/gate-console.ts";

export const metadata: Metadata = { title: "Gate" };

export default async function GatePage() {
  await connection();
  return (
    <Shell>
      <GateFrame tab="live">
        <LiveView first={await gateOverview()} />
      </GateFrame>
    </Shell>
  );
}
