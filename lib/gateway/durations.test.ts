import { Registry } from "prom-client";
import { expect, test } from "vitest";
import { Durations } from "./durations.ts";

test("buckets are cumulative, a bound is inside its bucket, and what is above all is counted", async () => {
  const durations = new Durations("d", "How long", [0.001, 0.1]);
  for (const seconds of [0, 0.001, 0.002, 7]) durations.observe(seconds);
  const registry = new Registry();
  registry.registerMetric(durations.metric);
  expect((await registry.metrics()).trim().split("\n")).toEqual([
    "# HELP d How long",
    "# TYPE d histogram",
    'd_bucket{le="0.001"} 2',
    'd_bucket{le="0.1"} 3',
    'd_bucket{le="+Inf"} 4',
    "d_sum 7.003",
    "d_count 4",
  ]);
});
