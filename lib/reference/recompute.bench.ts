import { createHash } from "node:crypto";
import type { Contract } from "../../contract/contract.ts";
import type { Policy } from "../../contract/policy.ts";
import type { Hasher } from "./canonical-json.ts";
import { recompute } from "./recompute.ts";
import { readRows } from "./stream.ts";

/** Requests of the round that is measured. */
export const REQUESTS = 1_000_000;
const TENANTS = 1000;
const CHUNK_BYTES = 1 << 16;
const RUNS = 3;

export const contract: Contract = {
  version: 1,
  total_ceiling_per_sec: "1000000",
  epoch_ms: 1000,
  grace_ms: 60_000,
  group_by: "request",
  refill: "continuous",
  tiers: [
    { name: "pledged", guaranteed: true },
    { name: "standard", guaranteed: false },
  ],
};

export const policy: Policy = {
  tenants: Array.from({ length: TENANTS }, (_, index) => ({
    tenant: `tenant-${index}`,
    capacity: "100",
    rate_per_sec: "9.8",
    ceiling_units: "10",
    ...(index % 4 === 0 ? { tier: "pledged", reserve_tokens: "4" } : { tier: "standard" }),
  })),
  denylist: ["tenant-7"],
};

/** A stream that is the same on every machine: a linear congruential generator draws tenants, times and costs. */
export function streamBytes(): Uint8Array {
  let state = 1;
  const draw = (limit: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
  const lines: string[] = [];
  for (let index = 0; index < REQUESTS; index++) {
    const mode = draw(2) === 0 ? "soft" : "hard";
    lines.push(
      `{"req_id":"req-${index}","tenant":"tenant-${draw(TENANTS)}","arrival_ms":${draw(3_600_000)},"cost":${1 + draw(99) / 10},"mode":"${mode}"}\n`,
    );
  }
  return new TextEncoder().encode(lines.join(""));
}

export async function* chunked(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES) yield bytes.subarray(at, at + CHUNK_BYTES);
}

function sha256(): Hasher {
  const hash = createHash("sha256");
  return { update: (bytes) => void hash.update(bytes), hex: () => hash.digest("hex") };
}

/** The best of a few runs, in milliseconds. */
async function fastest(work: () => Promise<unknown>): Promise<number> {
  let best = Number.POSITIVE_INFINITY;
  for (let run = 0; run < RUNS; run++) {
    const start = performance.now();
    await work();
    best = Math.min(best, performance.now() - start);
  }
  return best;
}

const line = (name: string, ms: number, note: string): string =>
  `${name.padEnd(28)} ${(ms / 1000).toFixed(2)} s  ${Math.round((REQUESTS / ms) * 1000).toLocaleString("en")} requests/s  ${note}`;

/**
 * The rate of the reference on a million requests of a thousand tenants, from bytes in memory to the checksum, beside
 * its floor: reading the same lines and deciding nothing. One line of text each.
 */
export async function bench(): Promise<string[]> {
  const bytes = streamBytes();
  const floor = await fastest(() => readRows(chunked(bytes), () => {}));
  const whole = await fastest(() =>
    recompute({ contract, policy, stream: chunked(bytes), reading: "strict", sha256 }),
  );
  return [
    line("reference, lines alone", floor, "(the floor)"),
    line("reference, whole round", whole, `(${(whole / floor).toFixed(2)} × the floor)`),
  ];
}
