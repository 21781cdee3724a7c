import type { PackedRound } from "./packed-round.ts";
import type { BlockReader } from "./stream.ts";

/** More tenants than these take longer to hand over than their round's text takes to make. */
const MOST_TENANTS = 1 << 16;

/**
 * Another pair of hands: work of a recomputation that somebody does while it goes on. What is found is the same with it
 * and without. It does its work or its promises reject: nothing is left undone in silence.
 */
export interface Assistant extends BlockReader {
  /**
   * Makes the text that the checksum covers (§4) of a round whose columns are given away, tells it piece by piece, in
   * order, and gives the round back. A piece is valid during the call.
   */
  tell(round: PackedRound, onPiece: (piece: Uint8Array) => void): Promise<PackedRound>;
}

/** Whether it is quicker to have the assistant tell a round's text. */
export function isToldSooner({ table, summary }: PackedRound): boolean {
  return table.names.length <= MOST_TENANTS && Object.keys(summary.per_tenant).length <= MOST_TENANTS;
}
