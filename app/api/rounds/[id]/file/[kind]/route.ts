import { byId, roundFile } from "../../../../round-rows.ts";

export async function GET(_request: Request, { params }: { params: Promise<{ id: string; kind: string }> }) {
  const { id, kind } = await params;
  return roundFile(kind, byId(id));
}
