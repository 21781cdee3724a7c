import { byToken, witnessStream } from "../../../round-rows.ts";

export async function GET(request: Request, { params }: { params: Promise<{ token: string }> }) {
  return witnessStream(request, byToken((await params).token));
}
