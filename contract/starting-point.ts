/** A contract to begin with: what is admitted as one unit and how buckets fill. */
export const PRESETS = ["standard", "scenario"] as const;
export type Preset = (typeof PRESETS)[number];

/** A tenant of a proposed policy: what was seen of it, what is proposed, and what that would have done. */
export interface ProposedTenant {
  /** `"*"`: all tenants that are not named, taken together. */
  tenant: string;
  /** How many tenants stand behind it; 1 for a named one. */
  tenants: number;
  requests: number;
  /** Tokens that its requests cost. */
  cost: number;
  /** Tokens in a second at `burst_percentile` of its seconds with requests. */
  burst: number;
  /** Tokens a second, of a minute at `sustained_percentile` of its minutes with requests, or its mean where that is more. */
  sustained: number;
  capacity: number;
  rate_per_sec: number;
  /** What the proposal would have done with its requests. */
  accepted: number;
  queued: number;
  rejected: number;
}

/** A contract and a policy proposed from a stream, and what they would have done with it. */
export interface StartingPoint {
  contract: string;
  policy: string;
  burst_percentile: number;
  sustained_percentile: number;
  /** Requests looked at, and whether the stream holds no others. */
  requests: number;
  is_whole: boolean;
  span_ms: number;
  tenants: number;
  proposed: ProposedTenant[];
}

export type StartingPointResult = { ok: true; start: StartingPoint } | { ok: false; reason: string };
