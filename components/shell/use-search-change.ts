"use client";

import { usePathname, useRouter, useSearchParams } from "next/navigation";

/** Parameters to set in the URL, some of them to several values; an empty text takes one away. */
export type ChangedParams = Readonly<Record<string, string | readonly string[]>>;

/**
 * The page's state lives in its URL: `href` is this page's address with some parameters changed and all others kept,
 * `go` leads there.
 */
export function useSearchChange(): {
  href: (changed: ChangedParams) => string;
  go: (changed: ChangedParams) => void;
} {
  const router = useRouter();
  const path = usePathname();
  const current = useSearchParams();
  const href = (changed: ChangedParams) => {
    const next = new URLSearchParams(current);
    for (const [key, value] of Object.entries(changed)) {
      next.delete(key);
      for (const one of [value].flat()) if (one !== "") next.append(key, one);
    }
    return next.size === 0 ? path : `${path}?${next}`;
  };
  return { href, go: (changed) => router.push(href(changed)) };
}
