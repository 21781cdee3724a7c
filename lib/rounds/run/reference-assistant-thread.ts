/** The reference's assistant (§5.1) in a thread of its own: it reads blocks of the stream, and tells a round's text. */
import { parentPort, workerData } from "node:worker_threads";
import { memoryOf, type PackedRound, roundText } from "../../reference/packed-round.ts";
import { memoryOfTable } from "../../reference/row-table.ts";
import { PartReader } from "../../reference/stream-part.ts";
import {
  type AssistantAnswer,
  type AssistantMemory,
  type AssistantOrder,
  BLOCKS_READ,
  ROWS_READ,
  SLOT_BYTES,
} from "./reference-assistant.ts";

const { slots, done } = workerData as AssistantMemory;
const reader = new PartReader();
/** Where pieces of text are put; none of them is written to while the other thread reads it. */
const rooms: Uint8Array<ArrayBuffer>[] = [];
let onRoom: () => void = () => {};

const say = (answer: AssistantAnswer, given: ArrayBuffer[] = []): void =>
  parentPort!.postMessage(answer, given);

function read({ slot, bytes, number }: Extract<AssistantOrder, { kind: "block" }>): void {
  const start = slot * SLOT_BYTES;
  reader.take(slots.subarray(start, start + bytes), number);
  Atomics.store(done, ROWS_READ, reader.count);
  Atomics.add(done, BLOCKS_READ, 1);
}

function sayPart(): void {
  const part = reader.part();
  say({ kind: "part", part }, memoryOfTable(part.columns));
}

async function tell(round: PackedRound): Promise<void> {
  for (const piece of roundText(round)) {
    if (rooms.length === 0)
      await new Promise<void>((resolve) => {
        onRoom = resolve;
      });
    const room = rooms.pop()!;
    room.set(piece);
    say({ kind: "piece", room, bytes: piece.length }, [room.buffer]);
  }
  say({ kind: "told", round }, memoryOf(round));
}

// What throws here, also what the promise rejects with, ends the thread with an error, and with it the recomputation.
parentPort!.on("message", (order: AssistantOrder) => {
  if (order.kind === "block") read(order);
  else if (order.kind === "part") sayPart();
  else if (order.kind === "tell") void tell(order.round);
  else {
    rooms.push(order.room);
    onRoom();
  }
});
