"use client";

import { Text } from "@mantine/core";
import type { ArrivalSpread } from "../../contract/mapping.ts";
import { counted, formatCount } from "../format/format.ts";
import { shortStamp } from "../format/short-stamp.ts";

/** Which line began a log too early for most of it, and how a new round takes the rest. */
export function SpreadAdvice({ spread: { earliest, line, beyond, stretch } }: { spread: ArrivalSpread }) {
  return (
    <Text size="sm" data-testid="spread">
      The earliest arrival is {shortStamp(earliest)}, in line {formatCount(line)};{" "}
      {counted(beyond, "request lies", "requests lie")} more than 366 days after it, and no round is longer
      (§1.3).
      {stretch === null
        ? " A new round can take a stretch of time, by “Only from” and “Only before” in its mapping."
        : ` The 366 days from ${stretch.from} hold ${counted(stretch.requests, "request")}: a new round takes them by “Only from” in its mapping, with lenient reading, which leaves the others out and says so.`}
    </Text>
  );
}
