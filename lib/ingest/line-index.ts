/** Finds the physical line of a place in a text; the lines are counted when first asked for. */
export class LineIndex {
  private readonly text: string;
  private starts: number[] | null = null;

  constructor(text: string) {
    this.text = text;
  }

  /** Physical line, from 1, of the character at `offset`. */
  lineAt(offset: number): number {
    this.starts ??= this.count();
    let low = 0;
    let high = this.starts.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.starts[middle]! <= offset) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Where each line starts. */
  private count(): number[] {
    const starts = [0];
    for (let feed = this.text.indexOf("\n"); feed >= 0; feed = this.text.indexOf("\n", feed + 1))
      starts.push(feed + 1);
    return starts;
  }
}
