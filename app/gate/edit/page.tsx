import type { Metadata } from "next";
import { connection } from "next/server";
import { ConfigEditor } from "../../../components/gate/config-editor.tsx";
import { GateFrame } from "../../../components/gate/gate-frame.tsx";
import { NoGate } from "../../../components/gate/no-gate.tsx";
import { Shell } from "../../../components/shell/shell.tsx";
import { liveVersion } from "../../../lib/gate-console/gate-console.ts";
import { publish, readVersion, stage } from "../actions.ts";

export const metadata: Metadata = { title: "Edit the gate" };

export default async function EditGatePage() {
  await connection();
  const live = await liveVersion();
  return (
    <Shell>
      <GateFrame tab="edit">
        {live.kind === "answer" ? (
          <ConfigEditor
            text={JSON.stringify(live.value.config, null, 2)}
            from={live.value.version}
            actions={{ stage, publish, readVersion }}
          />
        ) : (
          <NoGate answer={live} />
        )}
      </GateFrame>
    </Shell>
  );
}
