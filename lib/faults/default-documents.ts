/** What the fault `fail-open` falls back to where contract or policy are unavailable (§6). */
export const DEFAULT_CONTRACT = {
  version: 1,
  total_ceiling_per_sec: 1_000_000,
  epoch_ms: 1000,
  grace_ms: 60_000,
  group_by: "epoch",
  refill: "snapshot",
  tiers: [{ name: "default", guaranteed: false }],
};

export const DEFAULT_POLICY = {
  tenants: [
    { tenant: "*", tier: "default", capacity: 1_000_000, rate_per_sec: 1_000_000, ceiling_units: 1_000_000 },
  ],
  denylist: [],
};
