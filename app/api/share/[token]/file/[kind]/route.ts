import { byToken, roundFile } from "../../../../round-rows.ts";

export async function GET(
  _request: Request,
  { params }: { params: Promise<{ token: string; kind: string }> },
) {
  const { token, kind } = await params;
  return roundFile(kind, byToken(token));
}
