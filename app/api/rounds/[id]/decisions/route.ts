import { markedDecisionRows } from "../../../round-rows.ts";

export async function GET(request: Request, { params }: { params: Promise<{ id: string }> }) {
  return markedDecisionRows(request, (await params).id);
}
