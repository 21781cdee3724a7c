/** Longest name in bytes of UTF-8 (§1.4). */
export const NAME_MAX_BYTES = 256;
/** Latest arrival, in milliseconds since the start of the round (§1.3): 366 days. */
export const ARRIVAL_MAX_MS = 31_622_400_000;
/** Largest cost of one request, in tokens (§1.3). */
export const COST_MAX = 1_000_000_000n;
/** Longest line that is read, in bytes: an endless one must not fill the memory. A longer one is a bad line. */
export const LINE_MAX_BYTES = 16 * 1024 * 1024;
/** Bad lines that are told one by one; the rest are only counted (§1.3). */
export const PROBLEMS_SHOWN = 100;
