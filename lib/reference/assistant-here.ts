import type { Assistant } from "./assistant.ts";
import { memoryOf, roundText } from "./packed-round.ts";
import { memoryOfTable } from "./row-table.ts";
import { PartReader } from "./stream-part.ts";

/** An assistant in no thread of its own, for tests: what it is given and gives back is handed over as between threads. */
export interface AssistantHere extends Assistant {
  /** Numbers of the blocks that it took. */
  readonly taken: readonly number[];
  /** Rounds whose text it told. */
  readonly told: number;
}

/** Takes the blocks that `takes` says; `isLate`: reads none of them before its part is asked for. */
export function assistantHere(takes: (block: number) => boolean, isLate = false): AssistantHere {
  const reader = new PartReader();
  const taken: number[] = [];
  const waiting: (() => void)[] = [];
  let told = 0;
  return {
    taken,
    get told() {
      return told;
    },
    get count() {
      return reader.count;
    },
    offer(block, number) {
      if (!takes(number)) return false;
      taken.push(number);
      const copy = block.slice();
      if (isLate) waiting.push(() => reader.take(copy, number));
      else reader.take(copy, number);
      return true;
    },
    async part() {
      for (const read of waiting) read();
      const part = reader.part();
      return structuredClone(part, { transfer: memoryOfTable(part.columns) });
    },
    async tell(round, onPiece) {
      told += 1;
      const there = structuredClone(round, { transfer: memoryOf(round) });
      for (const piece of roundText(there)) onPiece(piece);
      return structuredClone(there, { transfer: memoryOf(there) });
    },
  };
}
