"use client";

import { type ReactNode, useSyncExternalStore } from "react";

const never = () => () => {};

/** Whether the page listens to its controls already. */
export const useListening = (): boolean =>
  useSyncExternalStore(
    never,
    () => true,
    () => false,
  );

/**
 * Controls that do nothing without the page's script: disabled until it listens, since what is chosen before that would
 * be seen on the page and not be meant. It has no box of its own. To be used inside of what is hydrated with the controls.
 */
export function LiveControls({ children }: { children: ReactNode }) {
  return (
    <fieldset role="presentation" className="live-controls" disabled={!useListening()}>
      {children}
    </fieldset>
  );
}
