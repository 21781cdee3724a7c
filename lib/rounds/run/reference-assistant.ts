import { join } from "node:path";
import { Worker } from "node:worker_threads";
import type { Assistant } from "../../reference/assistant.ts";
import { PIECE_BYTES } from "../../reference/canonical-pieces.ts";
import { memoryOf, type PackedRound } from "../../reference/packed-round.ts";
import type { StreamPart } from "../../reference/stream-part.ts";
import { fileBytes } from "../../store/read-file.ts";
import { threadEnd } from "../process/thread-end.ts";
import { projectRoot } from "../settings.ts";

const THREAD = "lib/rounds/run/reference-assistant-thread.ts";

/** A thread takes a twentieth of a second to start: a smaller stream is recomputed sooner without one. */
const ASSISTED_FROM_BYTES = 8 * 1024 * 1024;

/** Blocks that may wait to be read; the assistant is never out of work while one is copied. */
const SLOTS = 3;
export const SLOT_BYTES = 1 << 20;
/** A shorter block is read sooner than it is handed over. */
const WORTH_BYTES = 1 << 16;
/** Pieces of text that are under way. */
const ROOMS = 4;

/** What the assistant's thread is started with: memory that both see. */
export interface AssistantMemory {
  /** Blocks, each in a slot of its own. */
  slots: Uint8Array<SharedArrayBuffer>;
  /** What it has done so far, see below. */
  done: Int32Array<SharedArrayBuffer>;
}
/** Places in `done`. */
export const BLOCKS_READ = 0;
export const ROWS_READ = 1;

/** What the assistant's thread is asked for. */
export type AssistantOrder =
  | { kind: "block"; slot: number; bytes: number; number: number }
  | { kind: "part" }
  | { kind: "tell"; round: PackedRound }
  | { kind: "room"; room: Uint8Array<ArrayBuffer> };

/** What it answers. */
export type AssistantAnswer =
  | { kind: "part"; part: StreamPart }
  | { kind: "piece"; room: Uint8Array<ArrayBuffer>; bytes: number }
  | { kind: "told"; round: PackedRound };

/** The reference's assistant in a thread of its own. One that ends without its answer is an error of whoever waits. */
export class AssistantThread implements Assistant {
  private readonly worker: Worker;
  private readonly slots = new Uint8Array(new SharedArrayBuffer(SLOTS * SLOT_BYTES));
  private readonly done = new Int32Array(new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT));
  private readonly ended: Promise<never>;
  private given = 0;
  private onAnswer: (answer: AssistantAnswer) => void = () => {};

  constructor() {
    const memory: AssistantMemory = { slots: this.slots, done: this.done };
    this.worker = new Worker(join(/* turbopackIgnore: true */ projectRoot(), THREAD), { workerData: memory });
    this.worker.on("message", (answer: AssistantAnswer) => this.onAnswer(answer));
    this.ended = threadEnd(this.worker, "the reference's assistant");
  }

  get count(): number {
    return Atomics.load(this.done, ROWS_READ);
  }

  offer(block: Uint8Array, number: number): boolean {
    if (block.length < WORTH_BYTES || block.length > SLOT_BYTES) return false;
    if (this.given - Atomics.load(this.done, BLOCKS_READ) >= SLOTS) return false;
    const slot = this.given % SLOTS;
    this.slots.set(block, slot * SLOT_BYTES);
    this.order({ kind: "block", slot, bytes: block.length, number });
    this.given += 1;
    return true;
  }

  async part(): Promise<StreamPart> {
    return await this.answer((resolve) => {
      this.onAnswer = (answer) => answer.kind === "part" && resolve(answer.part);
      this.order({ kind: "part" });
    });
  }

  async tell(round: PackedRound, onPiece: (piece: Uint8Array) => void): Promise<PackedRound> {
    return await this.answer((resolve, reject) => {
      this.onAnswer = (answer) => {
        if (answer.kind === "told") resolve(answer.round);
        if (answer.kind !== "piece") return;
        try {
          onPiece(answer.room.subarray(0, answer.bytes));
          this.giveRoom(answer.room);
        } catch (error) {
          reject(error);
        }
      };
      this.order({ kind: "tell", round }, memoryOf(round));
      for (let room = 0; room < ROOMS; room++) this.giveRoom(new Uint8Array(PIECE_BYTES));
    });
  }

  /** Ends it, whatever it does. */
  async stop(): Promise<void> {
    await this.worker.terminate();
  }

  private answer<T>(
    ask: (resolve: (value: T) => void, reject: (error: unknown) => void) => void,
  ): Promise<T> {
    return Promise.race([new Promise<T>(ask), this.ended]);
  }

  private giveRoom(room: Uint8Array<ArrayBuffer>): void {
    this.order({ kind: "room", room }, [room.buffer]);
  }

  private order(order: AssistantOrder, given: ArrayBuffer[] = []): void {
    this.worker.postMessage(order, given);
  }
}

/** An assistant for whoever recomputes a large stream while nothing else is at work; null of a small one. */
export async function assistantFor(streamPath: string): Promise<AssistantThread | null> {
  // What cannot be read is told by whoever reads it.
  const bytes = await fileBytes(streamPath).catch(() => 0);
  return bytes < ASSISTED_FROM_BYTES ? null : new AssistantThread();
}
