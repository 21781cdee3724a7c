import { byToken, placeRows } from "../../../round-rows.ts";

export async function GET(request: Request, { params }: { params: Promise<{ token: string }> }) {
  return placeRows(request, byToken((await params).token));
}
