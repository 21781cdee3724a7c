"use client";

import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import type { ReactNode } from "react";

/** One cache of rows a browser tab. It is made in the browser only: what uses it is loaded after the page. */
const rowQueries = new QueryClient({ defaultOptions: { queries: { retry: 1 } } });

/** Lets what stands in it ask the server for rows. */
export function RowQueries({ children }: { children: ReactNode }) {
  return <QueryClientProvider client={rowQueries}>{children}</QueryClientProvider>;
}
