import type { PackedRound } from "./packed-round.ts";
import type { BlockReader } from "./stream.ts";

/** Rows whose text takes about as long to make as a tenant takes to hand over, with what is told of it. */
const ROWS_A_TENANT = 32;

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

/** Whether it is quicker to have the assistant tell a round's text: columns are handed over for nothing, names are not. */
export function isToldSooner({ table, summary }: PackedRound): boolean {
  const tenants = Math.max(table.names.length, Object.keys(summary.per_tenant).length);
  return tenants * ROWS_A_TENANT <= table.count;
}
