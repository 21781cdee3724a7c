import { byId, decisionRows } from "../../../round-rows.ts";

export async function GET(request: Request, { params }: { params: Promise<{ id: string }> }) {
  return decisionRows(request, byId((await params).id));
}
