import type { OriginalRequest } from "./original-request.ts";

/**
 * Who may hold what `/check` admits. What is held pins its buckets (G6) for as long as `hold_ms`: whoever may hold for
 * many clients can leave no room for others.
 */
export const HOLDERS = ["trusted", "everybody", "nobody"] as const;
export type Holders = (typeof HOLDERS)[number];

const THIS_MACHINE = /^(?:(?:::ffff:)?127\.|::1$)/i;

/** Whether a peer may hold: one of this machine or a trusted proxy (G3), unless the settings say otherwise. */
export function mayHold({ peer, trustedPeer }: OriginalRequest, holders: Holders): boolean {
  if (holders !== "trusted") return holders === "everybody";
  return trustedPeer || THIS_MACHINE.test(peer);
}
