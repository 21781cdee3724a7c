import { expect, test } from "vitest";
import { LONGEST_LINE_BYTES, lineBlocks } from "./line-blocks.ts";

/** The blocks of chunks, as texts; null stands for a line that is too long. */
async function blocksOf(...chunks: (string | Uint8Array)[]): Promise<(string | null)[]> {
  async function* stream() {
    for (const chunk of chunks) yield typeof chunk === "string" ? new TextEncoder().encode(chunk) : chunk;
  }
  const blocks: (string | null)[] = [];
  for await (const block of lineBlocks(stream()))
    blocks.push(block === null ? null : new TextDecoder().decode(block));
  return blocks;
}

test.each([
  [
    ["a\nb\n", "c\n"],
    ["a\nb", "c"],
  ],
  [
    ["a\n", "b"],
    ["a", "b"],
  ],
  [
    ["a", "b\nc", "\n"],
    ["ab", "c"],
  ],
  [
    ["a\nb", "c\nd\n"],
    ["a", "bc", "d"],
  ],
  [
    ["", "\n", "\n"],
    ["", ""],
  ],
  [["a\n", ""], ["a"]],
  [[], []],
])(
  "chunks %j are blocks of whole lines, and nothing follows the last line feed (§1.3)",
  async (chunks, blocks) => {
    expect(await blocksOf(...chunks)).toEqual(blocks);
  },
);

test("what waits for its line's end is kept while its room grows", async () => {
  const [start, middle, end] = ["a".repeat(3000), "b".repeat(3000), "c".repeat(30_000)];
  expect(await blocksOf(start, middle, `${end}\nd`)).toEqual([start + middle + end, "d"]);
});

test("a line that does not end is not kept, and the one after it is", async () => {
  const piece = new Uint8Array(LONGEST_LINE_BYTES / 4).fill(0x61);
  const whole = await blocksOf(piece, piece, piece, piece, "\nb");
  expect(whole.map((block) => block?.length)).toEqual([LONGEST_LINE_BYTES, 1]);
  expect(await blocksOf(piece, piece, piece, piece, "a", "a\nb\nc")).toEqual([null, "b", "c"]);
  expect(await blocksOf(piece, piece, piece, piece, piece)).toEqual([null]);
});
