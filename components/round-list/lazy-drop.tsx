"use client";

import dynamic from "next/dynamic";

/** Loaded after the page: nobody drops a file before they see it. */
export const LazyDropAnywhere = dynamic(
  () => import("./drop-anywhere.tsx").then(({ DropAnywhere }) => DropAnywhere),
  { ssr: false },
);
