import { startStates } from "../../../../../lib/rounds/shared-service.ts";
import { dispatchQuery, paramsOf } from "../../../../rounds/row-queries.ts";

/** A window of the decisions that depend on the start. */
export async function GET(request: Request, { params }: { params: Promise<{ id: string }> }) {
  const page = await (await startStates()).rows((await params).id, dispatchQuery(paramsOf(request)));
  return page === null
    ? Response.json({ error: "The start states of this round were not found." }, { status: 404 })
    : Response.json(page);
}
