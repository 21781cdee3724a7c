import { z } from "zod";
import { documentProblems } from "../../../../lib/rounds/saved-documents.ts";

const document = z.strictObject({ name: z.string().max(300), text: z.string() });
const body = z.strictObject({ contract: document, policy: document });

/** Judges a contract and a policy as they are typed (§1); nothing is kept. */
export async function POST(request: Request): Promise<Response> {
  const parsed = body.safeParse(await request.json().catch(() => null));
  if (!parsed.success)
    return Response.json(
      { error: "expected { contract: { name, text }, policy: { name, text } }" },
      { status: 400 },
    );
  return Response.json(documentProblems(parsed.data));
}
