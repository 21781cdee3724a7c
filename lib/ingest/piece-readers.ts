import { type PackedPart, PartReader } from "./stream-part.ts";
import { PieceLines, type Pieces, type ReadAt } from "./stream-pieces.ts";
import type { TextLineReader } from "./text-line.ts";

/** Makes the reader of lines that must be judged by their text: a thread whose stream has none need not load it. */
export type TextReader = () => TextLineReader;

/**
 * Reads pieces from the first on, as long as there are some that the other thread has not taken; stops after each, and
 * returns all of them as one part.
 */
export function* readFront(
  pieces: Pieces,
  readAt: ReadAt,
  textReader: TextReader,
): Generator<void, PartReader> {
  const part = new PartReader(true, textReader);
  const lines = new PieceLines(readAt);
  for (let index = 0; pieces.take(); index++) {
    const [start, end] = pieces.range(index);
    part.readBlock(lines.linesOf(start, end));
    if (index === 0) part.expectRest(end, pieces.bytes);
    yield;
  }
  return part;
}

/**
 * Reads pieces from the last on, as long as there are some that the other thread has not taken: each is a part.
 * @param seed of the hashes of ids: that of the thread that puts the parts together
 */
export function* readBack(
  pieces: Pieces,
  readAt: ReadAt,
  textReader: TextReader,
  seed: number,
): Generator<PackedPart> {
  const lines = new PieceLines(readAt);
  let expected = 0;
  for (let index = pieces.count - 1; pieces.take(); index--) {
    // The stream begins with it only where the other thread has not had the time to take a single piece.
    const part = new PartReader(index === 0, textReader, seed);
    part.columns.expect(expected);
    part.readBlock(lines.linesOf(...pieces.range(index)));
    expected = part.columns.count;
    yield part.pack();
  }
}

/**
 * Puts the parts from the back behind the front one. Each is let go at once, not when somebody looks for what nobody
 * needs any more: they are half of a stream.
 * @param parts in the order in which they were read: the last of the stream first; none is left
 */
export function joinParts(front: PartReader, parts: PackedPart[]): void {
  for (let part = parts.pop(); part !== undefined; part = parts.pop()) front.take(part);
}
