const DAY_MS = 86_400_000;
/** A time that is so much earlier than the one before is of the next day: no log is half a day out of order. */
const NEXT_DAY_MS = DAY_MS / 2;
/** A time that is so much later than the one before it is of the day that has just ended: a line that was written late. */
const LATE_MS = DAY_MS - 20 * 60_000;

const TIME = /^(\d\d):(\d\d):(\d\d)/;

/** Milliseconds since midnight; null where a text begins with no time. */
function sinceMidnight(text: string): number | null {
  const found = TIME.exec(text);
  return found === null ? null : ((Number(found[1]) * 60 + Number(found[2])) * 60 + Number(found[3])) * 1000;
}

/**
 * The day of lines that tell only their time: that of `#Date` to begin with, which is written once. A file that goes on
 * past midnight says nothing of it; the times do, which begin again.
 */
export class DirectiveDay {
  private readonly text: string;
  private readonly first_ms: number;
  private days = 0;
  private last_ms: number | null;

  /** @param text a date, `YYYY-MM-DD` @param time when that was written, where it is told */
  constructor(text: string, time = "") {
    this.text = text;
    this.first_ms = Date.parse(text);
    this.last_ms = sinceMidnight(time);
  }

  /** The date of a line with this time; the lines come in order, but for some that were written late. */
  of(time: string): string {
    const now_ms = sinceMidnight(time);
    // What is no date or no time is told as it stands: whoever reads it as a stamp refuses it.
    if (now_ms === null || Number.isNaN(this.first_ms)) return this.text;
    const ahead_ms = this.last_ms === null ? 0 : now_ms - this.last_ms;
    if (ahead_ms > LATE_MS && this.days > 0) return this.textOf(this.days - 1);
    if (ahead_ms < -NEXT_DAY_MS) this.days += 1;
    this.last_ms = now_ms;
    return this.textOf(this.days);
  }

  private textOf(days: number): string {
    if (days === 0) return this.text;
    return new Date(this.first_ms + days * DAY_MS).toISOString().slice(0, this.text.length);
  }
}
