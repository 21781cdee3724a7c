import { differenceOf, type FieldDifference } from "../log-difference.ts";

/** Compares lines of a log with what the reference finds (G11), field by field, and counts the comparisons. */
export class LineComparison {
  #checks = 0;

  /** Comparisons made so far. */
  get checks(): number {
    return this.#checks;
  }

  /** The fields of `expected` that are logged otherwise, in their order, each with its clause. */
  compare(logged: object, expected: object, seq: number): FieldDifference[] {
    const found: FieldDifference[] = [];
    for (const [field, value] of Object.entries(expected)) {
      this.#checks += 1;
      const difference = differenceOf(field, (logged as Record<string, unknown>)[field], value, seq);
      if (difference !== null) found.push(difference);
    }
    return found;
  }
}
