import { byId, roundTable } from "../../../../round-rows.ts";

export async function GET(request: Request, { params }: { params: Promise<{ id: string; table: string }> }) {
  const { id, table } = await params;
  return roundTable(table, request, byId(id));
}
