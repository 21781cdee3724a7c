"use client";

import { createContext, type ReactNode, useContext } from "react";
import { isPlain, spelledName } from "./visible-name.ts";

/** Names that are drawn like another one of the same round; null where it is not known which. */
export type LookAlikes = readonly string[] | null;

const Known = createContext<ReadonlySet<string> | null>(new Set());

/** Tells the names below of others that look like them. */
export function LookAlikesKnown({ names, children }: { names: LookAlikes; children: ReactNode }) {
  return <Known value={names === null ? null : new Set(names)}>{children}</Known>;
}

/** How a name is spelled, in a sentence, where another of the round is drawn the same; null for every other name. */
export function useSpelling(name: string): string | null {
  const known = useContext(Known);
  if (known === null)
    return isPlain(name) ? null : `Another name of this round may look like this one: ${spelledName(name)}`;
  return known.has(name) ? `Another name of this round looks like this one: ${spelledName(name)}` : null;
}
