import { auditSent } from "../../../../lib/gate-console/gate-console.ts";
import { refusal } from "../../../../lib/rounds/request-guard.ts";

export const dynamic = "force-dynamic";

/** Audits the log in the body, as it comes. */
export async function POST(request: Request): Promise<Response> {
  const refused = refusal(request.method, request.headers);
  if (refused !== null) return new Response(refused, { status: 403 });
  const query = new URL(request.url).searchParams;
  const body = request.body ?? new Blob([]).stream();
  return Response.json(await auditSent(query.get("name") ?? "log", body, query.has("open")));
}
