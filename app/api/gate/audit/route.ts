import { answerStream } from "../../../../lib/gate-console/answer-stream.ts";
import { auditOwnLog, auditSent } from "../../../../lib/gate-console/gate-console.ts";
import { sentFiles, withSentLogs } from "../../../../lib/gate-console/sent-logs.ts";
import { refusal } from "../../../../lib/rounds/request-guard.ts";

export const dynamic = "force-dynamic";

/** Audits the gate's own log (`?own`), or the files in the body, whose names and sizes the query tells. */
export async function POST(request: Request): Promise<Response> {
  const refused = refusal(request.method, request.headers);
  if (refused !== null) return new Response(refused, { status: 403 });
  const query = new URL(request.url).searchParams;
  if (query.has("own")) return answerStream(request.signal, auditOwnLog);
  const files = sentFiles(query);
  if (files === null)
    return new Response("expected a name and a size in bytes for each file", { status: 400 });
  const body = request.body ?? new Blob([]).stream();
  return answerStream(request.signal, (waiting) =>
    withSentLogs(body, files, (parts) => auditSent(parts, query.has("open"), waiting)),
  );
}
