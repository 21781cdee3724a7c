import { byId, derivation } from "../../../round-rows.ts";

export async function GET(request: Request, { params }: { params: Promise<{ id: string }> }) {
  return derivation(request, byId((await params).id));
}
