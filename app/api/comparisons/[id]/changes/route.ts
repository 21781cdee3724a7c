import { comparisons } from "../../../../../lib/rounds/shared-service.ts";
import { compareQuery } from "../../../../compare/compare-query.ts";
import { paramsOf } from "../../../../rounds/row-queries.ts";

/** A window of the requests that differ between two rounds. */
export async function GET(request: Request, { params }: { params: Promise<{ id: string }> }) {
  const { id } = await params;
  const page = await (await comparisons()).changes(id, compareQuery(paramsOf(request)));
  return page === null
    ? Response.json({ error: "There is no such comparison." }, { status: 404 })
    : Response.json(page);
}
