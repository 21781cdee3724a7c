import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { LINE_MAX_BYTES } from "../../contract/limits.ts";
import { readColumns, type StreamReading, wholeStream } from "./canonical-stream.ts";
import { joinParts, readBack, readFront } from "./piece-readers.ts";
import type { PackedPart } from "./stream-part.ts";
import { Pieces, type ReadAt } from "./stream-pieces.ts";
import { TextLineReader } from "./text-line.ts";
import { HASH_SEED } from "./text-packer.ts";

const encode = (text: string) => new TextEncoder().encode(text);

/** Reads from memory, at most so many bytes at once: a file may give fewer than were asked for. */
const readerOf =
  (content: Uint8Array, atOnce = Number.POSITIVE_INFINITY): ReadAt =>
  (into, position) => {
    const bytes = content.subarray(position, position + Math.min(into.length, atOnce));
    into.set(bytes);
    return bytes.length;
  };

interface Course {
  pieceBytes: number;
  /** Bytes that a read gives at most. */
  atOnce?: number;
  /** Whose turn it is, again and again: true is the front's. */
  turns: readonly boolean[];
}

/** What two readers find that take turns. */
function readByTwo(content: Uint8Array, { pieceBytes, atOnce, turns }: Course): StreamReading {
  const taken = new Int32Array(new SharedArrayBuffer(4));
  const textReader = () => new TextLineReader();
  const pieces = () => new Pieces(content.length, taken, pieceBytes);
  const front = readFront(pieces(), readerOf(content, atOnce), textReader);
  const back = readBack(pieces(), readerOf(content, atOnce), textReader, HASH_SEED);
  const parts: PackedPart[] = [];
  const stepBack = () => {
    const { done, value } = back.next();
    if (!done) parts.push(value);
  };
  for (let turn = 0; ; turn++) {
    if (turns[turn % turns.length] === false) {
      stepBack();
      continue;
    }
    const { done, value } = front.next();
    if (!done) continue;
    stepBack();
    joinParts(value, parts);
    return wholeStream(value, "", content.length);
  }
}

async function* cut(content: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < content.length; at += 65_536) yield content.slice(at, at + 65_536);
}

const told = ({ columns: { reqId, ...columns }, sha256: _, ...rest }: StreamReading) => ({
  ...columns,
  reqId: [...reqId],
  ...rest,
});

async function expectSame(content: Uint8Array, course: Course): Promise<StreamReading> {
  const one = await readColumns(cut(content));
  expect(told(readByTwo(content, course))).toEqual(told(one));
  return one;
}

const requestLine = (id: string, tenant: string, rest = '"arrival_ms":7,"cost":1.5,"mode":"soft"') =>
  `{"req_id":${JSON.stringify(id)},"tenant":${JSON.stringify(tenant)},${rest}}`;

/** Names of which some come again, in this stream and the next; some are more than ASCII. */
const names = fc.constantFrom("a", "b", "té", "漢字", "__proto__", "x".repeat(40), "*", "\u2028");
const plainLines = fc
  .tuple(fc.nat(30), names, fc.nat(9))
  .map(([id, tenant, at]) =>
    requestLine(`r-${id}`, tenant, `"arrival_ms":${at},"cost":0.${at + 1},"mode":"hard"`),
  );
const oddLines = fc.constantFrom(
  "",
  " \t",
  "{}",
  "null",
  '{"req_id"',
  '{"mode":"soft","cost":2,"arrival_ms":3,"tenant":"z","req_id":"turned"}',
  '{"req_id":"\\u0061","tenant":"esc","arrival_ms":1e1,"cost":1,"mode":"soft"}',
  requestLine("spaced", "t").replaceAll(",", " , "),
  requestLine("r-1", "only here", '"arrival_ms":1,"cost":1,"mode":"soft"'),
  requestLine("no cost", "t", '"arrival_ms":1,"cost":0,"mode":"soft"'),
  "\uFEFF",
  `\uFEFF${requestLine("behind a mark", "t")}`,
  "x".repeat(300),
);
const ends = fc.constantFrom("\n", "\n", "\n", "\r\n", "\n\n", "\r");
/** Bytes of a stream, of which some may be no UTF-8. */
const contents = fc
  .record({
    lines: fc.array(fc.tuple(fc.oneof({ weight: 3, arbitrary: plainLines }, oddLines), ends), {
      maxLength: 40,
    }),
    isOpen: fc.boolean(),
    spoiled: fc.array(fc.tuple(fc.nat(4000), fc.constantFrom(0xff, 0xc3, 0x0a, 0x22, 0x0d)), {
      maxLength: 3,
    }),
  })
  .map(({ lines, isOpen, spoiled }) => {
    const text = lines.map(([line, end]) => line + end).join("");
    const bytes = encode(isOpen ? text.replace(/\n$/, "") : text);
    for (const [at, byte] of spoiled) if (at < bytes.length) bytes[at] = byte;
    return bytes;
  });
const courses = fc.record({
  pieceBytes: fc.oneof(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 700 })),
  atOnce: fc.oneof(fc.constant(Number.POSITIVE_INFINITY), fc.integer({ min: 1, max: 50 })),
  // The front alone could not end where it never has its turn.
  turns: fc.array(fc.boolean(), { maxLength: 12 }).map((turns) => [...turns, true]),
});

describe("two readers of a stream", () => {
  test("find what one finds, wherever its pieces end and whoever takes them (§1.3)", async () => {
    await fc.assert(
      fc.asyncProperty(contents, courses, async (content, course) => {
        await expectSame(content, course);
      }),
      { numRuns: 1000 },
    );
  });

  test.each([true, false])("find it where one of them takes all (the front: %s)", async (isFront) => {
    const lines = Array.from({ length: 300 }, (_, at) => requestLine(`r-${at % 290}`, `t-${at % 7}`));
    const turns = isFront ? [true] : [...Array<boolean>(10_000).fill(false), true];
    const { problemCount, lines: count } = await expectSame(encode(`\uFEFF${lines.join("\n")}`), {
      pieceBytes: 50,
      turns,
    });
    expect({ problemCount, count }).toEqual({ problemCount: 10, count: 300 });
  });

  test("tell the first hundred bad lines of all, by line, whoever met them", async () => {
    const lines = Array.from({ length: 400 }, (_, at) =>
      at % 3 === 0 ? "no request" : requestLine(`r-${at % 5}`, "t"),
    );
    const { problems, problemCount } = await expectSame(encode(lines.join("\n")), {
      pieceBytes: 200,
      turns: [true, false],
    });
    expect(problemCount).toBe(395);
    expect(problems).toHaveLength(100);
    expect(problems.map(({ line }) => line)).toEqual(problems.map(({ line }) => line).sort((a, b) => a - b));
  });

  test("put an id that comes again to the later line, and forget a tenant that only that line has", async () => {
    const text = [requestLine("a", "first"), requestLine("b", "second"), requestLine("a", "third")].join(
      "\n",
    );
    const { columns, problems } = await expectSame(encode(text), {
      pieceBytes: 60,
      turns: [false, false, true],
    });
    expect(columns.tenantNames).toEqual(["first", "second"]);
    expect(problems).toMatchObject([{ line: 3, field: "req_id" }]);
  });

  test.each([-1, 0, 1, 2])(
    "judge a line by its length alike, %i bytes from the longest that is read",
    async (more) => {
      const long = new Uint8Array(LINE_MAX_BYTES + more).fill(0x20);
      const around = encode(requestLine("a", "t"));
      for (const end of [[], [10], [13, 10], [10, ...around, 10]]) {
        const content = Uint8Array.from([...around, 10]);
        const whole = new Uint8Array(content.length + long.length + end.length);
        whole.set(content);
        whole.set(long, content.length);
        whole.set(end, content.length + long.length);
        for (const turns of [[true], [false, true], [false, false, false, false, true]])
          await expectSame(whole, { pieceBytes: 3_000_000, turns });
      }
    },
    60_000,
  );

  test("free the memory of a part as soon as it was taken", () => {
    const content = encode(`${requestLine("a", "t")}\n${requestLine("b", "t")}\n`);
    const taken = new Int32Array(new SharedArrayBuffer(4));
    const textReader = () => new TextLineReader();
    const parts = [
      ...readBack(new Pieces(content.length, taken, 40), readerOf(content), textReader, HASH_SEED),
    ];
    const held = parts.map(({ columns }) => columns);
    const front = readFront(new Pieces(content.length, taken, 40), readerOf(content), textReader);
    const { value } = front.next();
    joinParts(value!, parts);
    expect(value!.columns.count).toBe(2);
    expect(parts).toEqual([]);
    expect(held.map(({ ids, line }) => ids.bytes.length + line.length)).toEqual(held.map(() => 0));
  });
});
