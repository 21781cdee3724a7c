import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { Readable } from "node:stream";
import { isNotAsJudged } from "../../lib/rounds/file-seals.ts";
import type { RoundFileKind, RoundsService } from "../../lib/rounds/service.ts";
import { roundsService, startStates, witnessStudies } from "../../lib/rounds/shared-service.ts";
import { EXPORT_TABLES, exportColumns, type TableQuery } from "../../lib/rounds/sharing/export-table.ts";
import { FULL_ACCESS, type RoundAccess } from "../../lib/rounds/sharing/shared-round.ts";
import { bucketQuery, diffQuery, dispatchQuery, paramsOf } from "../rounds/row-queries.ts";
import { disposition, tableFile } from "./table-file.ts";

/** A round and what of it may be seen: a route never asks for rows or files without. */
interface FoundRound {
  id: string;
  access: RoundAccess;
  /** Found by its own id, which whoever has a link to it is not told. */
  isOwn: boolean;
}

/** How a route finds the round it speaks of: by id, or by the token of a link. */
export type FindRound = (service: RoundsService) => Promise<FoundRound | null>;

export const byId =
  (id: string): FindRound =>
  async () => ({ id, access: FULL_ACCESS, isOwn: true });
export const byToken =
  (token: string): FindRound =>
  async (service) => {
    const shared = await service.shared(token);
    return shared === null ? null : { id: shared.round.id, access: shared.access, isOwn: false };
  };

const NOT_FOUND = () => Response.json({ error: "There is no such round." }, { status: 404 });
const TOO_LARGE = () =>
  Response.json(
    {
      error:
        "The round's files are too large for a bundle. Download each, and judge them by `throttle probe`.",
    },
    { status: 413 },
  );

/** A use case's answer; refused where what is stored is not what was judged. */
async function judged(answer: () => Promise<Response>): Promise<Response> {
  try {
    return await answer();
  } catch (error) {
    if (!isNotAsJudged(error)) throw error;
    return Response.json({ error: error.message }, { status: error.status });
  }
}

const KINDS = ["contract", "policy", "stream", "report"] as const;

/** A round's rows as an access shows them, and why they count no longer, where they do not. */
async function rowsOf(find: FindRound) {
  const service = await roundsService();
  const found = await find(service);
  const view = found === null ? null : await service.rows(found.id, found.access);
  if (found === null || view === null) return null;
  return { view, not_as_judged: await service.notAsJudged(found.id, found.access) };
}

/** A window of rows. Of a round that is not what was judged it says so: nothing in it is to be taken for well. */
const windowOf = (page: object, not_as_judged: string[]): Response =>
  Response.json(not_as_judged.length === 0 ? page : { not_as_judged, ...page });

/** A window of the decisions. */
export async function decisionRows(request: Request, find: FindRound): Promise<Response> {
  const found = await rowsOf(find);
  if (found === null) return NOT_FOUND();
  return windowOf(await found.view.decisions(dispatchQuery(paramsOf(request))), found.not_as_judged);
}

/** Decisions with a mark where they depend on the start, where that was found. */
export async function markedDecisionRows(request: Request, id: string): Promise<Response> {
  const found = await rowsOf(byId(id));
  if (found === null) return NOT_FOUND();
  const page = await found.view.decisions(dispatchQuery(paramsOf(request)));
  const ids = page.rows.map(({ req_id }) => req_id);
  const marked = await (await startStates()).marked(id, ids);
  if (marked === null) return windowOf(page, found.not_as_judged);
  const rows = page.rows.map((row) => ({ ...row, depends_on_start: marked.has(row.req_id) }));
  return windowOf({ ...page, rows }, found.not_as_judged);
}

/** A window of the diff. */
export async function placeRows(request: Request, find: FindRound): Promise<Response> {
  const found = await rowsOf(find);
  if (found === null) return NOT_FOUND();
  return windowOf(await found.view.places(diffQuery(paramsOf(request))), found.not_as_judged);
}

/** How each side decided the group of a request. */
export async function derivation(request: Request, find: FindRound): Promise<Response> {
  const service = await roundsService();
  const found = await find(service);
  const view = found === null ? null : await service.rows(found.id, found.access);
  const req_id = new URL(request.url).searchParams.get("req") ?? "";
  const decision = (await view?.decision(req_id)) ?? null;
  if (found === null || view === null || decision === null) return NOT_FOUND();
  const isAudit = (await service.round(found.id))?.audit != null;
  const [engine, reference] = await Promise.all([
    view.groupOfRequest("engine", decision),
    view.groupOfRequest("reference", decision),
  ]);
  return windowOf({ engine, reference, isAudit }, await service.notAsJudged(found.id, found.access));
}

/** What of a table is asked for, from the URL of the page that shows it. */
function tableQuery(table: string, request: Request): TableQuery | null {
  const params = paramsOf(request);
  if (table === "tenants") return { ...bucketQuery(params), table };
  if (table === "decisions") return { ...dispatchQuery(params), table };
  if (table === "places") return { ...diffQuery(params), table };
  if (table === "groups") return { table, tenant: bucketQuery(params).tenant };
  const known = EXPORT_TABLES.find((name) => name === table);
  return known === undefined ? null : ({ table: known } as TableQuery);
}

/** A round's name as a part of a file's name: what separates folders, or is reserved somewhere, is replaced. */
const fileNamePart = (name: string): string =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: names of rounds may hold them
  name.replace(/[\u0000-\u001f\u007f/\\:*?"<>|]/g, "_").slice(0, 100);

async function roundTableOf(table: string, request: Request, find: FindRound): Promise<Response> {
  const service = await roundsService();
  const found = await find(service);
  const query = tableQuery(table, request);
  const rows =
    found === null || query === null ? null : await service.table(found.id, query, found.access, found.isOwn);
  if (query === null || rows === null) return NOT_FOUND();
  const name = (await service.round(found!.id, found!.access))?.name ?? "round";
  return tableFile(request, `${fileNamePart(name)}.${query.table}`, exportColumns(query.table), rows);
}

/** Headers of a file that is kept, not shown. */
const fileHeaders = (name: string, type: string) => ({
  "Content-Type": type,
  "Content-Disposition": disposition(name),
  "Cache-Control": "private, no-store",
});

async function roundBundleOf(find: FindRound): Promise<Response> {
  const service = await roundsService();
  const found = await find(service);
  const bundle = found === null ? null : await service.bundle(found.id, found.access);
  if (found !== null && bundle === null && (await service.isBundleTooLarge(found.id))) return TOO_LARGE();
  if (bundle === null) return NOT_FOUND();
  return new Response(Readable.toWeb(Readable.from(bundle.chunks, { objectMode: false })) as ReadableStream, {
    headers: { ...fileHeaders(bundle.name, "application/zip"), "X-Unpacked-Bytes": String(bundle.bytes) },
  });
}

/** The smallest stream that breaks a tenant's reserve, where it was found and the stream may be seen. */
export async function witnessStream(request: Request, find: FindRound): Promise<Response> {
  const found = await find(await roundsService());
  const tenant = new URL(request.url).searchParams.get("tenant") ?? "";
  const file = found?.access.raw ? await (await witnessStudies()).stream(found.id, tenant) : null;
  if (file === null) return NOT_FOUND();
  return new Response(file.text, {
    headers: {
      "Content-Type": "application/x-ndjson; charset=utf-8",
      "Content-Disposition": disposition(file.name),
      "Cache-Control": "private, no-store",
    },
  });
}

async function roundFileOf(kind: string, find: FindRound): Promise<Response> {
  const service = await roundsService();
  const found = await find(service);
  const known = KINDS.find((name): name is RoundFileKind => name === kind);
  const file =
    found === null || known === undefined ? null : await service.file(found.id, known, found.access);
  if (file === null) return NOT_FOUND();
  const { size } = await stat(file.path);
  return new Response(Readable.toWeb(createReadStream(file.path)) as ReadableStream, {
    headers: { ...fileHeaders(file.name, file.type), "Content-Length": String(size) },
  });
}

/** A whole table as a file, made while it is sent: `format` csv or json, and the parameters of its page. */
export const roundTable = (table: string, request: Request, find: FindRound): Promise<Response> =>
  judged(() => roundTableOf(table, request, find));

/** The round's bundle, packed as it is sent. Its length is not known before; that of what is in it is. */
export const roundBundle = (find: FindRound): Promise<Response> => judged(() => roundBundleOf(find));

/** One of the round's files, streamed from disk. */
export const roundFile = (kind: string, find: FindRound): Promise<Response> =>
  judged(() => roundFileOf(kind, find));
