import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isRows } from "../../contract/rows.ts";
import { readReportStream } from "./read-report-stream.ts";

async function* cut(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) {
    // A chunk is valid until the next one is asked for.
    const chunk = bytes.slice(at, at + size);
    yield chunk;
    chunk.fill(0);
  }
}

const encode = (text: string) => new TextEncoder().encode(text);

/** What `JSON.parse` makes of a text, rows as lists; undefined where it is no JSON object. */
function parsed(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

async function read(bytes: Uint8Array, size: number, batch?: number): Promise<unknown> {
  const result = await readReportStream(cut(bytes, size), batch);
  if (!result.ok) {
    expect(result.message).not.toBe("");
    return undefined;
  }
  const { value } = result;
  return Object.fromEntries(
    Object.keys(value).map((key) => [key, isRows(value[key]) ? [...(value[key] as never)] : value[key]]),
  );
}

const name = fc.oneof(
  fc.constantFrom("a", "__proto__", 'é"\\', "\ud800", "\uFFFD", "😀", ""),
  fc.string({ unit: "binary", maxLength: 6 }),
);
const row = fc.record(
  {
    req_id: fc.oneof({ weight: 9, arbitrary: name }, { weight: 1, arbitrary: fc.jsonValue() }),
    tenant: name,
    verdict: fc.constantFrom("accepted", "queued", "rejected", "constructor"),
    reason: fc.option(fc.constantFrom("denylisted", "null", "x"), { nil: null }),
    wait_ms: fc.option(fc.oneof(fc.nat(), fc.double({ noNaN: true, noDefaultInfinity: true })), {
      nil: null,
    }),
    reserve_breached: fc.boolean(),
  },
  { requiredKeys: ["req_id", "verdict", "reason", "wait_ms", "reserve_breached"] },
);
const rows = fc.array(fc.oneof({ weight: 9, arbitrary: row }, { weight: 1, arbitrary: fc.jsonValue() }));
const report = fc.record(
  {
    counts: fc.jsonValue(),
    decisions: fc.oneof({ weight: 9, arbitrary: rows }, { weight: 1, arbitrary: fc.jsonValue() }),
    dispatch_order: fc.oneof(
      { weight: 9, arbitrary: fc.array(fc.oneof(name, fc.jsonValue())) },
      { weight: 1, arbitrary: fc.jsonValue() },
    ),
    per_tenant: fc.dictionary(name, fc.jsonValue()),
  },
  { requiredKeys: [] },
);
const size = fc.constantFrom(1, 2, 3, 7, 64, 100_000);
const batch = fc.constantFrom(0, 1, 20, 1000);
const indent = fc.constantFrom(undefined, 1, "\t");

test("ids that are told twice are what they are, as far as they are the same and from where they are not", async () => {
  const ids = fc.array(fc.tuple(name, fc.boolean()), { maxLength: 12 });
  const other = fc.option(fc.tuple(fc.nat(13), fc.oneof(name, fc.constant(7))), { nil: null });
  await fc.assert(
    fc.asyncProperty(
      ids,
      fc.nat(14),
      other,
      fc.boolean(),
      batch,
      async (told, kept, change, isFirst, rows) => {
        const order: unknown[] = [...told.map(([id]) => id), "more", "and more"].slice(0, kept);
        if (change !== null) order.splice(change[0], 1, change[1]);
        const decisions = told.map(([req_id, isUsual]) => ({
          ...{ req_id, tenant: "t", verdict: "accepted", reason: null, wait_ms: 0 },
          ...(isUsual && { reserve_breached: false }),
        }));
        const text = JSON.stringify(
          isFirst ? { dispatch_order: order, decisions } : { decisions, dispatch_order: order },
        );
        expect(await read(encode(text), 64, rows)).toEqual(parsed(text));
      },
    ),
  );
});

test("words are told apart however many there are", async () => {
  const decisions = Array.from({ length: 700 }, (_, at) => ({
    ...{ req_id: `${at}`, tenant: `tenant ${at % 400}`, verdict: `verdict ${at % 300}` },
    ...{ reason: at % 5 === 0 ? null : `reason ${at % 299}`, wait_ms: at, reserve_breached: at % 2 === 0 },
  }));
  const text = JSON.stringify({ decisions });
  expect(await read(encode(text), 1000)).toEqual(parsed(text));
});

describe("a report read by streaming", () => {
  test("is what JSON.parse makes of it, however it is cut", async () => {
    await fc.assert(
      fc.asyncProperty(report, indent, size, batch, async (value, space, chunk, batchBytes) => {
        const text = JSON.stringify(value, null, space);
        expect(await read(encode(text), chunk, batchBytes)).toEqual(parsed(text));
      }),
      { numRuns: 300 },
    );
  });

  test("a text with faults is taken where JSON.parse takes it, and nowhere else", async () => {
    const marks = fc.constantFrom(...'{}[],:"\\ 0e-tn\u0000'.split(""), "\uFEFF", '"decisions":[]', ",,");
    const edit = fc.record({ at: fc.nat(), drop: fc.nat({ max: 2 }), put: fc.oneof(marks, fc.constant("")) });
    let taken = 0;
    let refused = 0;
    await fc.assert(
      fc.asyncProperty(
        report,
        fc.array(edit, { minLength: 1, maxLength: 3 }),
        size,
        batch,
        async (value, edits, chunk, batchBytes) => {
          let text = JSON.stringify(value);
          for (const { at, drop, put } of edits) {
            const place = at % (text.length + 1);
            text = text.slice(0, place) + put + text.slice(place + drop);
          }
          // Bytes hold no half of a pair of surrogates.
          text = text.toWellFormed();
          // A BOM is allowed at the start, which JSON.parse does not know of.
          const expected = parsed(text.replace(/^\uFEFF/, ""));
          expect([text, await read(encode(text), chunk, batchBytes)]).toEqual([text, expected]);
          if (expected === undefined) refused += 1;
          else taken += 1;
        },
      ),
      { numRuns: 1000 },
    );
    expect(Math.min(taken, refused)).toBeGreaterThan(100);
  });

  test("a key that is there twice has its last value, rows or not", async () => {
    const text = '{"decisions":[1,2],"a":1,"decisions":[],"a":{"b":1,"b":2},"__proto__":3}';
    expect(await read(encode(text), 5)).toEqual(parsed(text));
  });

  test.each([
    ["empty", "", "is no JSON object"],
    ["a list", "[]", "is no JSON object"],
    ["cut off in its rows", '{"decisions":[{"req_id":"a"', "it ends in the middle"],
    ["cut off between fields", '{"a":1', "it ends in the middle"],
    ["followed by something", "{} {}", "expected its end at byte 4"],
    ["with a comma too many", '{"decisions":[1,]}', "is no JSON"],
    ["with a comma at a cut", '{"decisions":[1,,2]}', "is no JSON"],
    ["without a colon", '{"a" 1}', "it ends in the middle"],
  ])("one that is %s says what is wrong", async (_, text, message) => {
    for (const batchBytes of [0, 1000])
      expect(await readReportStream(cut(encode(text), 4), batchBytes)).toEqual({
        ok: false,
        message: expect.stringContaining(message),
      });
  });

  test("bytes that are no UTF-8 are no text, in rows and elsewhere", async () => {
    for (const text of ['{"decisions":["~"]}', '{"~":1}', '{"a":"~"}', "~{}", "{}~"]) {
      const bytes = encode(text);
      bytes[bytes.indexOf(0x7e)] = 0xff;
      expect(await read(bytes, 3)).toBeUndefined();
    }
  });

  test("an error of the stream itself is thrown", async () => {
    const broken = (async function* () {
      yield encode('{"decisions":[');
      throw new Error("disk");
    })();
    await expect(readReportStream(broken)).rejects.toThrow("disk");
  });

  test("too many rows of another form are refused, not kept", async () => {
    const text = `{"decisions":[${"{},".repeat(100_001)}{}]}`;
    expect(await readReportStream(cut(encode(text), 1 << 16))).toMatchObject({
      ok: false,
      message: expect.stringContaining("another form"),
    });
  });

  test("two hundred thousand rows come back as they were", async () => {
    const decisions = Array.from({ length: 200_000 }, (_, at) => ({
      req_id: `req-${at}`,
      tenant: `t-${at % 999}`,
      verdict: "queued",
      reason: null,
      wait_ms: at,
      reserve_breached: at % 3 === 0,
    }));
    const result = await readReportStream(cut(encode(JSON.stringify({ decisions })), 1 << 20));
    if (!result.ok) throw new Error(result.message);
    const found = [...(result.value.decisions as Iterable<unknown>)];
    expect(found.length).toBe(decisions.length);
    expect(found.findIndex((item, at) => JSON.stringify(item) !== JSON.stringify(decisions[at]))).toBe(-1);
  });
});
