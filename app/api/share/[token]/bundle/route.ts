import { byToken, roundBundle } from "../../../round-rows.ts";

export async function GET(_request: Request, { params }: { params: Promise<{ token: string }> }) {
  return roundBundle(byToken((await params).token));
}
