import { answerStream } from "../../../../lib/gate-console/answer-stream.ts";
import { dryRunText } from "../../../../lib/gate-console/gate-console.ts";
import { refusal } from "../../../../lib/rounds/request-guard.ts";

export const dynamic = "force-dynamic";

/** Longest configuration that is tried, in characters. */
const TEXT_MAX = 16 * 1024 * 1024;

/** What the configuration in the body would have done to the recorded traffic (G8). */
export async function POST(request: Request): Promise<Response> {
  const refused = refusal(request.method, request.headers);
  if (refused !== null) return new Response(refused, { status: 403 });
  const text = await request.text();
  if (text.length > TEXT_MAX) return new Response("the configuration is too long", { status: 413 });
  return answerStream(request.signal, (waiting) => dryRunText(text, waiting));
}
