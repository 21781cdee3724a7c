import { isRows, type Rows } from "../../contract/rows.ts";
import { MISMATCHES_LISTED, type ProbeMismatch, type ProbeOutcome } from "./outcome.ts";

/** Stands for a value that is not there. */
const ABSENT = Symbol("absent");
type Path = readonly (string | number)[];
type Members = { readonly [key: string]: unknown };

const LONGEST_SHOWN = 200;
const IDENTIFIER = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** `["per_tenant", "t-alpha", "used"]` as `per_tenant["t-alpha"].used`. */
function pathText(path: Path): string {
  return path
    .map((part, index) => {
      if (typeof part === "number") return `[${part}]`;
      if (!IDENTIFIER.test(part)) return `[${JSON.stringify(part)}]`;
      return index === 0 ? part : `.${part}`;
    })
    .join("");
}

const isMembers = (value: unknown): value is Members =>
  typeof value === "object" && value !== null && !isRows(value);

/** The own member of an object, never one that it inherits: `constructor` is a tenant like any other (§1.4). */
const member = (members: Members, key: string): unknown =>
  Object.hasOwn(members, key) ? members[key] : ABSENT;

/** A value as a mismatch shows it: scalars as they are, all else in words. */
function shown(value: unknown): unknown {
  if (isRows(value)) return `(a list of ${value.length})`;
  if (isMembers(value)) return "(an object)";
  if (typeof value === "string" && value.length > LONGEST_SHOWN) return `${value.slice(0, LONGEST_SHOWN)}…`;
  return value;
}

/**
 * The probe's own comparison (§5.5). Each scalar that the reference found is one value compared; what is missing, of
 * another type, or there without being expected is one mismatch, however much it holds.
 */
export class Comparison {
  private compared = 0;
  private mismatchCount = 0;
  private readonly mismatches: ProbeMismatch[] = [];

  /** Compares the fields of `expected` alone, whatever else `reported` holds. */
  fields(path: Path, reported: unknown, expected: Members): void {
    for (const key of Object.keys(expected)) {
      const value = isMembers(reported) ? member(reported, key) : ABSENT;
      this.value([...path, key], value, expected[key]);
    }
  }

  outcome(): ProbeOutcome {
    const { compared, mismatchCount, mismatches } = this;
    return { result: mismatchCount === 0 ? "ok" : "bad", compared, mismatches, mismatchCount };
  }

  /** Compares all of a value: every field and every item of the one must be in the other. */
  private value(path: Path, reported: unknown, expected: unknown): void {
    if (isRows(expected) && isRows(reported)) this.list(path, reported, expected);
    else if (isMembers(expected) && isMembers(reported)) this.object(path, reported, expected);
    else if (reported !== expected) this.mismatch(path, reported, expected);
    else this.compared += 1;
  }

  /** One list on both sides: its items are alike, each with as many values as the first. */
  private agreed(list: Rows<unknown>): void {
    const first = list.at(0);
    this.compared += list.length * (isMembers(first) ? Object.keys(first).length : 1);
  }

  private list(path: Path, reported: Rows<unknown>, expected: Rows<unknown>): void {
    if (reported === expected) return this.agreed(expected);
    const length = Math.max(reported.length, expected.length);
    for (let at = 0; at < length; at++) {
      const ours = at < expected.length ? expected.at(at) : ABSENT;
      const theirs = at < reported.length ? reported.at(at) : ABSENT;
      if (ours === theirs) this.compared += 1;
      else this.value([...path, at], theirs, ours);
    }
  }

  private object(path: Path, reported: Members, expected: Members): void {
    for (const key of Object.keys(expected)) {
      const theirs = member(reported, key);
      // Of an object every value is counted, also where both sides are one and the same.
      if (theirs === expected[key] && typeof theirs !== "object") this.compared += 1;
      else this.value([...path, key], theirs, expected[key]);
    }
    for (const key of Object.keys(reported))
      if (!Object.hasOwn(expected, key)) this.mismatch([...path, key], reported[key], ABSENT);
  }

  private mismatch(path: Path, reported: unknown, expected: unknown): void {
    this.compared += 1;
    this.mismatchCount += 1;
    if (this.mismatches.length >= MISMATCHES_LISTED) return;
    this.mismatches.push({
      path: pathText(path),
      ...(reported === ABSENT ? {} : { reported: shown(reported) }),
      ...(expected === ABSENT ? {} : { expected: shown(expected) }),
    });
  }
}
