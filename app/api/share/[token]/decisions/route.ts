import { byToken, decisionRows } from "../../../round-rows.ts";

export async function GET(request: Request, { params }: { params: Promise<{ token: string }> }) {
  return decisionRows(request, byToken((await params).token));
}
