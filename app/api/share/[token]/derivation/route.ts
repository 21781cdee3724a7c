import { byToken, derivation } from "../../../round-rows.ts";

export async function GET(request: Request, { params }: { params: Promise<{ token: string }> }) {
  return derivation(request, byToken((await params).token));
}
