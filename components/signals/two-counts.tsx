"use client";

import { Text } from "@mantine/core";
import type { RoundSummary } from "../../contract/round-view.ts";
import { formatCount } from "../format/format.ts";

/** Why the probe's number is not the recomputation's: each counts in its own way. Nothing where they are the same. */
export function TwoCounts({ summary: { truth, probe } }: { summary: Pick<RoundSummary, "truth" | "probe"> }) {
  const places = truth.mismatches + truth.indeterminate;
  if (places === 0 || probe.mismatches === 0 || places === probe.mismatches) return null;
  return (
    <Text size="sm" c="dimmed">
      {formatCount(places)} and {formatCount(probe.mismatches)} are two counts of one finding: the
      recomputation counts places of the check table, the probe values in a comparison of its own.
    </Text>
  );
}
