import { byId, witnessStream } from "../../../round-rows.ts";

export async function GET(request: Request, { params }: { params: Promise<{ id: string }> }) {
  return witnessStream(request, byId((await params).id));
}
