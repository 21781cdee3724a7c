import { z } from "zod";

export type SearchParams = Record<string, string | string[] | undefined>;

/** Rounds on one page of the list. */
const PAGE_SIZE = 50;

const one = (value: unknown) => (Array.isArray(value) ? value[0] : value);
const schema = z.object({
  q: z.preprocess(one, z.string().max(200)).catch(""),
  sort: z.preprocess(one, z.enum(["created", "name", "requests"])).catch("created"),
  dir: z.preprocess(one, z.enum(["asc", "desc"])).catch("desc"),
  show: z.preprocess(one, z.enum(["all", "false-green"])).catch("all"),
  page: z.preprocess(one, z.coerce.number().int().min(1).max(1_000_000)).catch(1),
});

/** The list's query from its URL; what makes no sense is as if it were not there. */
export function listQuery(params: SearchParams) {
  const { q, sort, dir, show, page } = schema.parse(params);
  return {
    search: q,
    sort,
    dir,
    ...(show === "false-green" ? { false_green: true } : {}),
    limit: PAGE_SIZE,
    offset: (page - 1) * PAGE_SIZE,
  };
}
