import type { Metadata } from "next";
import { connection } from "next/server";
import { AuditForm } from "../../components/audit/audit-form.tsx";
import { Shell } from "../../components/shell/shell.tsx";
import { STREAM_API } from "../rounds/new/stream-api.ts";
import { startAudit } from "./actions.ts";

export const metadata: Metadata = { title: "Audit" };

export default async function AuditPage() {
  await connection();
  return (
    <Shell>
      <AuditForm streamApi={STREAM_API} start={startAudit} />
    </Shell>
  );
}
