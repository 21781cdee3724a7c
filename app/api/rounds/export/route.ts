import { roundsService } from "../../../../lib/rounds/shared-service.ts";
import { exportList, LIST_COLUMNS } from "../../../../lib/rounds/sharing/export-list.ts";
import { listParams, listQuery } from "../../../rounds/list-query.ts";
import { paramsOf } from "../../../rounds/row-queries.ts";
import { tableFile } from "../../table-file.ts";

/** The list of rounds as its page shows it, all pages of it. */
export async function GET(request: Request) {
  const query = listQuery(listParams(paramsOf(request)), Date.now());
  return tableFile(request, "rounds", LIST_COLUMNS, await exportList(await roundsService(), query));
}
