import { z } from "zod";
import type { GateEvictions, GateLedger } from "./gate-case.ts";
import type { GateConfig, GateService } from "./gate-config.ts";
import type { GateReason } from "./gate-reasons.ts";
import type { InputProblem } from "./input.ts";
import { integerSchema } from "./number.ts";

/**
 * The gate's admin interface: JSON over HTTP on the loopback address, `Authorization: Bearer <token>`. Every answer that
 * is no success is `{ problems: InputProblem[] }` (`GateRefusal`).
 *
 * | request | body | answer |
 * | --- | --- | --- |
 * | `GET /state` | | `GateState` |
 * | `GET /versions` | | `GateVersion[]`, newest first |
 * | `GET /versions/N` | | `GateVersionDetail`; 404 |
 * | `GET /diff?from=N&to=M` | | `GateChange[]` between two versions; 404 |
 * | `POST /stage` | `{ config }` | `GateStaged`; 422 with every problem |
 * | `POST /publish` | `{ config, from, note? }` | `GatePublished`; 422; 409 where `from` is no longer live |
 * | `POST /rollback` | `{ to, from, note? }` | `GatePublished`; 404; 409 |
 */

/** Where a version came from: the file at start, the admin interface, a roll back, or another process on the shared store. */
export const GATE_SOURCES = ["file", "admin", "rollback", "shared"] as const;
export type GateSource = (typeof GATE_SOURCES)[number];

const noteSchema = z.string().max(2000, "expected at most 2000 characters").default("");
const versionSchema = integerSchema(1, 1_000_000_000);

export const gateStageSchema = z.strictObject({ config: z.unknown() });
export const gatePublishSchema = z.strictObject({
  config: z.unknown(),
  from: versionSchema,
  note: noteSchema,
});
export const gateRollbackSchema = z.strictObject({
  to: versionSchema,
  from: versionSchema,
  note: noteSchema,
});

/** A published version. */
export interface GateVersion {
  readonly version: number;
  /** Wall clock, milliseconds. */
  readonly published_ms: number;
  readonly source: GateSource;
  readonly note: string;
}

/** A version with its configuration in normal form (G8). */
export interface GateVersionDetail extends GateVersion {
  readonly config: GateConfig;
}

/** One difference between two configurations. Services and rules are told apart by name and id (G2). */
export interface GateChange {
  readonly kind: "added" | "removed" | "changed" | "moved";
  /** Null: a field of the configuration itself. */
  readonly service: string | null;
  /** Null: the service itself, or a field of it. */
  readonly rule: string | null;
  /** Null: the service or rule as a whole. */
  readonly field: string | null;
  /** Absent values are null. Of a service or rule as a whole: its configuration. Moved: places in the list, from 0. */
  readonly before: unknown;
  readonly after: unknown;
}

/** A configuration that would be accepted (G8); nothing has changed by it. */
export interface GateStaged {
  /** The version live now: what `publish` wants as `from`. */
  readonly version: number;
  readonly config: GateConfig;
  readonly changes: GateChange[];
}

export interface GatePublished {
  readonly version: number;
  readonly config: GateConfig;
  readonly changes: GateChange[];
}

export interface GateRefusal {
  readonly problems: InputProblem[];
}

/** A rule of the live snapshot, with what it did since the process started. */
export interface GateRuleState {
  readonly id: string;
  readonly path: string | null;
  readonly requests: number;
  readonly per: string;
  readonly burst: number;
  readonly allowed: number;
  /** By want of a token in this rule. */
  readonly denied: number;
}

export interface GateServiceState {
  readonly name: string;
  readonly config: GateService;
  /** Buckets held, of at most `max_entries`; these three are null where the store cannot be read now. */
  readonly entries: number | null;
  readonly max_entries: number;
  readonly ledger: GateLedger | null;
  readonly evictions: GateEvictions | null;
  readonly denied: Readonly<Record<GateReason, number>>;
  /** Allowed without a look at a bucket, since the store could not be reached (G12). */
  readonly unchecked: number;
  readonly rules: readonly GateRuleState[];
}

/**
 * The live gate at a moment. Counts are since the process started; on a shared store `entries`, `ledger` and `evictions`
 * are those of all its processes together, since they began.
 */
/** An update that did not go live (G8). */
export interface GateRefused {
  /** From 1. */
  readonly number: number;
  /** Wall clock, milliseconds. */
  readonly at_ms: number;
  /** `failed`: it could not be kept, or the shared store not be reached. */
  readonly why: "invalid" | "outdated" | "failed";
  /** The version it was made from; null: it was only looked at. */
  readonly from: number | null;
  /** The first of its problems, and how many there are. */
  readonly problem: InputProblem | null;
  readonly problems: number;
}

export interface GateState {
  readonly now_ms: number;
  readonly started_ms: number;
  readonly version: number;
  readonly published_ms: number;
  readonly store: "memory" | "shared";
  readonly ready: boolean;
  readonly updates: { readonly published: number; readonly refused: number };
  /** The latest refused updates since the start, newest first. */
  readonly refusals: readonly GateRefused[];
  /** The decision log; null: none is written. `problem`: why lines were lost last. */
  readonly log: {
    readonly folder: string;
    readonly lines: number;
    readonly lost: number;
    readonly problem: string | null;
  } | null;
  readonly services: readonly GateServiceState[];
}
