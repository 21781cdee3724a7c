"use client";

import { keepPreviousData, useQueries } from "@tanstack/react-query";
import type { Page } from "../../contract/round-view.ts";

/** Rows asked for at once. */
const PAGE_SIZE = 200;

async function fetchPage<Row>(path: string, params: URLSearchParams, page: number): Promise<Page<Row>> {
  const query = new URLSearchParams(params);
  query.set("limit", String(PAGE_SIZE));
  query.set("offset", String(page * PAGE_SIZE));
  const response = await fetch(`${path}?${query}`);
  if (!response.ok) throw new Error(`The server answered ${response.status}`);
  return response.json();
}

/** What of a long list is there: the rows of the pages that a window touches, and how many rows there are in all. */
export function useWindow<Row>(path: string, params: URLSearchParams, first: number, last: number) {
  const from = Math.floor(first / PAGE_SIZE);
  const to = Math.floor(Math.max(last, first) / PAGE_SIZE);
  const pages = Array.from({ length: to - from + 1 }, (_, at) => from + at);
  const results = useQueries({
    queries: pages.map((page) => ({
      queryKey: [path, params.toString(), page],
      queryFn: () => fetchPage<Row>(path, params, page),
      placeholderData: keepPreviousData,
      staleTime: Number.POSITIVE_INFINITY,
    })),
  });
  const total = results.find(({ data }) => data !== undefined)?.data?.total ?? null;
  const error = results.find((result) => result.error !== null)?.error ?? null;
  const row = (index: number): Row | null => {
    const at = pages.indexOf(Math.floor(index / PAGE_SIZE));
    const result = at < 0 ? undefined : results[at];
    return result?.data === undefined || result.isPlaceholderData
      ? null
      : (result.data.rows[index % PAGE_SIZE] ?? null);
  };
  /** Asks again for what did not come. */
  const retry = () => {
    for (const result of results) if (result.error !== null) void result.refetch();
  };
  return { total, error, retry, row };
}
