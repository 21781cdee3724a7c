import fc from "fast-check";
import { expect, test, vi } from "vitest";
import { alikeTenants, lookAlikes } from "./look-alikes.ts";
import type { RoundRows } from "./masked-view.ts";

const PAIRS: [why: string, one: string, other: string][] = [
  ["composed or not", "caf\u00e9", "cafe\u0301"],
  ["a sign and the letter", "\u212b", "\u00c5"],
  ["a Cyrillic letter", "paypal", "p\u0430ypal"],
  ["all of a name", "\u0441\u0430\u0440\u0435", "cape"],
  ["a Greek letter", "BETA", "\u0392ETA"],
  ["two borrowed letters of different scripts", "\u043e", "\u03bf"],
  ["a ligature", "\ufb01le", "file"],
  ["full width", "\uff41", "a"],
  ["a mark that is not drawn", "a\ufe00", "a"],
  ["a joiner that is not drawn", "a\u034fb", "ab"],
  ["blanks that a page draws as one", "a  b", "a b"],
  ["a blank at the end", "a ", "a"],
];

test.each(PAIRS)("names are told that look alike: %s", async (_why, one, other) => {
  expect(await lookAlikes([one, "between", other])).toEqual([one, other]);
});

const APART: [why: string, one: string, other: string][] = [
  ["what is written out is seen", "pay\u200bpal", "paypal"],
  ["a mirrored name", "\u202Egnp.exe", "gnp.exe"],
  ["cases", "a", "A"],
  ["an accent", "e", "\u00e9"],
  ["letters of ASCII, which the font tells apart", "O0l1I", "00l1I"],
];

test.each(APART)("names are not told that look otherwise: %s", async (_why, one, other) => {
  expect(await lookAlikes([one, other])).toEqual([]);
});

test("a name alone looks like nobody, and plain names never look alike", async () => {
  const name = fc.string({ unit: "grapheme", minLength: 1 });
  await fc.assert(
    fc.asyncProperty(name, async (one) => {
      expect(await lookAlikes([one])).toEqual([]);
    }),
  );
  const plain = fc.stringMatching(/^[!-~]+( [!-~]+)*$/);
  await fc.assert(
    fc.asyncProperty(fc.uniqueArray(plain), async (names) => {
      expect(await lookAlikes(names)).toEqual([]);
    }),
  );
});

test("a name and its other composition are always told", async () => {
  const name = fc.string({ unit: "grapheme", minLength: 1 });
  await fc.assert(
    fc.asyncProperty(name, async (text) => {
      const both = [text.normalize("NFC"), text.normalize("NFD")];
      fc.pre(both[0] !== both[1]);
      expect(await lookAlikes(both)).toEqual(both);
    }),
  );
});

/** A round of which only the names are asked. */
const roundOf = (names: string[]) => {
  const tenantNames = vi.fn(async () => names);
  const hasOddNames = async () => names.some((name) => /[^ -~]/.test(name));
  return { tenantNames, rows: { tenantNames, hasOddNames } as unknown as RoundRows };
};

test("a round of plain names is not walked through, and another one once", async () => {
  const plain = roundOf(["a", "b"]);
  expect(await alikeTenants(plain.rows)).toEqual([]);
  expect(plain.tenantNames).not.toHaveBeenCalled();
  const odd = roundOf(["a", "\u0430", "b"]);
  expect(await alikeTenants(odd.rows)).toEqual(["a", "\u0430"]);
  expect(await alikeTenants(odd.rows)).toEqual(["a", "\u0430"]);
  expect(odd.tenantNames).toHaveBeenCalledTimes(1);
});

test("too many to be told, and names that cannot be read, are not none", async () => {
  const many = Array.from({ length: 300 }, (_, at) => [`a${at}`, `\u0430${at}`]).flat();
  expect(await alikeTenants(roundOf(many).rows)).toBeNull();
  const broken = roundOf(["\u0430"]);
  const told = vi.spyOn(console, "error").mockImplementation(() => {});
  broken.tenantNames.mockRejectedValueOnce(new Error("gone"));
  expect(await alikeTenants(broken.rows)).toBeNull();
  expect(told).toHaveBeenCalledTimes(1);
  expect(await alikeTenants(broken.rows)).toEqual([]);
});
