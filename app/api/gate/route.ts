import { gateOverview } from "../../../lib/gate-console/gate-console.ts";

export const dynamic = "force-dynamic";

/** The live gate, for a page that asks again and again. */
export const GET = async (): Promise<Response> => Response.json(await gateOverview());
