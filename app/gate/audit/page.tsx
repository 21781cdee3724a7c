import type { Metadata } from "next";
import { AuditView } from "../../../components/gate/audit-view.tsx";
import { GateFrame } from "../../../components/gate/gate-frame.tsx";
import { Shell } from "../../../components/shell/shell.tsx";

export const metadata: Metadata = { title: "Audit of the gate" };

export default function GateAuditPage() {
  return (
    <Shell>
      <GateFrame tab="audit">
        <AuditView />
      </GateFrame>
    </Shell>
  );
}
