"use client";

import { Skeleton } from "@mantine/core";
import { type ComponentProps, lazy, Suspense } from "react";
import type { RecheckResult } from "./recheck-result.tsx";

/**
 * Loads what shows a result. The one place that does: a bundler makes other files of another place's, and what was loaded
 * ahead of time would not be what is asked for once the network is gone.
 */
export const loadResult = () => import("./recheck-result.tsx");

const Loaded = lazy(async () => ({ default: (await loadResult()).RecheckResult }));

/** `RecheckResult`, loaded after the page. */
export function LazyResult(props: ComponentProps<typeof RecheckResult>) {
  return (
    <Suspense fallback={<Skeleton height={120} />}>
      <Loaded {...props} />
    </Suspense>
  );
}
