import { byToken, roundTable } from "../../../../round-rows.ts";

export async function GET(
  request: Request,
  { params }: { params: Promise<{ token: string; table: string }> },
) {
  const { token, table } = await params;
  return roundTable(table, request, byToken(token));
}
