import { open, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { RoundFiles } from "../run/run-round.ts";

/** What a made round looks like. */
export interface MadeRound {
  requests: number;
  tenants: number;
  span_ms: number;
  /** `arrival`: as a busy log has it, a little out of order. */
  order: "arrival" | "shuffled";
}

/** How far a line may stand from where its arrival belongs, in milliseconds. */
const JITTER_MS = 50;
/** Lines that are written at once. */
const BATCH = 10_000;

/** Whole numbers below a limit, the same on every machine (a linear congruential generator). */
function dice(): (limit: number) => number {
  let state = 20_261_025;
  return (limit) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
}

/** A different number for every number below 2^32, in no order: odd factors and shifts can be undone. */
function scattered(at: number): number {
  let mixed = Math.imul(at, 0x9e3779b1) >>> 0;
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x85ebca77) >>> 0;
  return (mixed ^ (mixed >>> 13)) >>> 0;
}

const CONTRACT = {
  version: 1,
  total_ceiling_per_sec: 1_000_000,
  epoch_ms: 1000,
  grace_ms: 5000,
  group_by: "request",
  refill: "continuous",
  tiers: [
    { name: "pledged", guaranteed: true },
    { name: "standard", guaranteed: false },
  ],
} as const;

/** A third of the tenants is guaranteed; what all need is a little more than what they have. */
function policyOf({ requests, tenants, span_ms }: MadeRound) {
  const needs_per_sec = (requests / tenants / span_ms) * 1000 * 2.5;
  const rate = Math.max(0.000001, Number((needs_per_sec * 0.9).toFixed(6)));
  return {
    tenants: Array.from({ length: tenants }, (_, at) => ({
      tenant: `tenant-${at}`,
      tier: at % 3 === 0 ? "pledged" : "standard",
      capacity: 50,
      rate_per_sec: rate,
      ceiling_units: rate,
      ...(at % 3 === 0 ? { reserve_tokens: 5 } : {}),
    })),
    denylist: [`tenant-${tenants - 1}`],
  };
}

/** The lines of the stream, `BATCH` at a time. */
function* lineBatches({ requests, tenants, span_ms, order }: MadeRound): Generator<string> {
  const below = dice();
  const arrival = (at: number): number => {
    if (order === "shuffled") return below(span_ms);
    const due = Math.floor((at / requests) * span_ms) + below(2 * JITTER_MS) - JITTER_MS;
    return Math.min(Math.max(due, 0), span_ms - 1);
  };
  for (let start = 0; start < requests; start += BATCH) {
    let lines = "";
    for (let at = start; at < Math.min(start + BATCH, requests); at++) {
      const id = scattered(at).toString(16).padStart(8, "0");
      const mode = below(2) === 0 ? "soft" : "hard";
      lines += `{"req_id":"req-${id}","tenant":"tenant-${below(tenants)}","arrival_ms":${arrival(at)},"cost":${(1 + below(40)) / 10},"mode":"${mode}"}\n`;
    }
    yield lines;
  }
}

/** Writes a round into a folder that exists: contract.json, policy.json and stream.jsonl. The report has no file yet. */
export async function makeRound(folder: string, made: MadeRound): Promise<RoundFiles> {
  const files = {
    contract: join(folder, "contract.json"),
    policy: join(folder, "policy.json"),
    input: join(folder, "stream.jsonl"),
    report: join(folder, "report.json"),
  };
  await writeFile(files.contract, JSON.stringify(CONTRACT));
  await writeFile(files.policy, JSON.stringify(policyOf(made)));
  const stream = await open(files.input, "w");
  try {
    for (const lines of lineBatches(made)) await stream.write(lines);
  } finally {
    await stream.close();
  }
  return files;
}
