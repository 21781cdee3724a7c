import { byId, roundBundle } from "../../../round-rows.ts";

export async function GET(_request: Request, { params }: { params: Promise<{ id: string }> }) {
  return roundBundle(byId((await params).id));
}
