import { byId, placeRows } from "../../../round-rows.ts";

export async function GET(request: Request, { params }: { params: Promise<{ id: string }> }) {
  return placeRows(request, byId((await params).id));
}
