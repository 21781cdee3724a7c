import { NumberText } from "../../contract/decimal.ts";
import { fieldPath } from "../../contract/input.ts";
import { decodeString, endOfScalar, endOfString, skipSpace } from "./json-scan.ts";

/** Levels of lists and objects in each other; deeper ones would overflow the stack of whoever walks the value. */
export const DEPTH_MAX = 1000;
/** Repeated keys that are told one by one. */
const REPEATED_SHOWN = 100;

/**
 * Turns a text that `JSON.parse` accepts into values that keep what `JSON.parse` loses: the text of each number, keys
 * that are there twice, and where each field stands. A syntax tree would tell the same, at sixty times the text's size.
 */
export class JsonWalk {
  readonly repeated: { path: string; offset: number }[] = [];
  isTooDeep = false;
  private readonly text: string;
  private at = 0;
  private readonly path: (string | number)[] = [];
  /** Offsets of the members of each object, by key, and of the elements of each list. */
  private readonly offsets = new Map<object, Map<string, number> | number[]>();

  constructor(text: string) {
    this.text = text;
  }

  read(): unknown {
    this.at = skipSpace(this.text, this.at);
    const start = this.at;
    switch (this.text[start]) {
      case "{":
        return this.nested(() => this.object());
      case "[":
        return this.nested(() => this.list());
      case '"':
        this.at = endOfString(this.text, start);
        return decodeString(this.text.slice(start, this.at));
      default:
        this.at = endOfScalar(this.text, start);
        return this.scalar(this.text.slice(start, this.at));
    }
  }

  /** Offset of the field at a path such as `tenants[2].capacity` in a value that was read; undefined for none. */
  offsetOf(value: unknown, path: string): number | undefined {
    if (path === "") return skipSpace(this.text, 0);
    const offsets = this.offsets.get(value as object);
    if (offsets === undefined) return undefined;
    if (Array.isArray(offsets)) {
      const match = /^\[([0-9]+)\]/.exec(path);
      if (match === null) return undefined;
      const index = Number(match[1]);
      const rest = path.slice(match[0].length);
      return rest === "" ? offsets[index] : this.offsetOf((value as unknown[])[index], rest);
    }
    const inner = path.startsWith(".") ? path.slice(1) : path;
    // A key may hold dots and brackets itself: the whole rest is tried first.
    const whole = offsets.get(inner);
    if (whole !== undefined) return whole;
    const key = /^[^.[]*/.exec(inner)![0];
    return key === inner || !offsets.has(key)
      ? undefined
      : this.offsetOf((value as Record<string, unknown>)[key], inner.slice(key.length));
  }

  private nested(read: () => unknown): unknown {
    if (this.isTooDeep || this.path.length >= DEPTH_MAX) {
      this.isTooDeep = true;
      this.at = this.text.length;
      return null;
    }
    return read();
  }

  private object(): unknown {
    const object: Record<string, unknown> = Object.create(null);
    const offsets = new Map<string, number>();
    this.offsets.set(object, offsets);
    this.at = skipSpace(this.text, this.at + 1);
    while (this.at < this.text.length && this.text[this.at] !== "}") {
      const offset = this.at;
      this.at = endOfString(this.text, offset);
      const key = decodeString(this.text.slice(offset, this.at))!;
      this.path.push(key);
      if (offsets.has(key)) this.repeat(offset);
      offsets.set(key, offset);
      this.at = skipSpace(this.text, this.at) + 1;
      object[key] = this.read();
      this.path.pop();
      this.behind();
    }
    this.at += 1;
    return object;
  }

  private list(): unknown {
    const list: unknown[] = [];
    const offsets: number[] = [];
    this.offsets.set(list, offsets);
    this.at = skipSpace(this.text, this.at + 1);
    while (this.at < this.text.length && this.text[this.at] !== "]") {
      this.path.push(list.length);
      offsets.push(this.at);
      list.push(this.read());
      this.path.pop();
      this.behind();
    }
    this.at += 1;
    return list;
  }

  /** Goes behind a value and the comma after it. */
  private behind(): void {
    this.at = skipSpace(this.text, this.at);
    if (this.text[this.at] === ",") this.at = skipSpace(this.text, this.at + 1);
  }

  private repeat(offset: number): void {
    if (this.repeated.length < REPEATED_SHOWN) this.repeated.push({ path: fieldPath(this.path), offset });
  }

  private scalar(word: string): unknown {
    if (word === "null") return null;
    if (word === "true" || word === "false") return word === "true";
    return new NumberText(word);
  }
}
