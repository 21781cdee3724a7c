"use client";

import { useSearchParams } from "next/navigation";
import { useCallback, useEffect, useRef, useState } from "react";
import { useSearchChange } from "../shell/use-search-change.ts";

/** The parameter that holds what is open. */
const OPEN = "open";

/**
 * The row of a table that is opened. Its key is in the URL: a copied link opens it again, and Back closes it. Nothing is
 * asked of the server to open a row that is on the screen.
 * @param given the row that the address named when the page was made; null for none
 */
export function useOpened<Row>(
  given: Row | null,
  keyOf: (row: Row) => string,
): { opened: Row | null; open: (row: Row) => void; close: () => void } {
  const asked = useSearchParams().get(OPEN);
  const { href } = useSearchChange();
  const [row, setRow] = useState(given);
  /** Whether one step back leads to the page with nothing open. */
  const isStep = useRef(false);
  // The table's cells are made once: what they call must see the address of now.
  const now = useRef({ asked, href });
  useEffect(() => {
    now.current = { asked, href };
    if (asked === null) isStep.current = false;
  });
  const open = useCallback(
    (next: Row) => {
      const address = now.current.href({ [OPEN]: keyOf(next) });
      setRow(next);
      if (now.current.asked !== null) return window.history.replaceState(null, "", address);
      isStep.current = true;
      window.history.pushState(null, "", address);
    },
    [keyOf],
  );
  const close = () => {
    if (isStep.current) window.history.back();
    else window.history.replaceState(null, "", href({ [OPEN]: "" }));
  };
  const known = [row, given].find((one) => one !== null && keyOf(one) === asked);
  return { opened: known ?? null, open, close };
}
