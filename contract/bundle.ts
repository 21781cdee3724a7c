import { z } from "zod";
import { READINGS } from "./request.ts";

/** What the manifest calls its own format. */
export const BUNDLE_FORMAT = "tenantthrottle-bundle";
export const BUNDLE_VERSION = 1;
/** The entry that describes the others; it stands first. */
export const MANIFEST_ENTRY = "manifest.json";

/** The files of a bundle and the names of their entries, in the order in which they stand. */
export const BUNDLE_ENTRIES = {
  contract: "contract.json",
  policy: "policy.json",
  report: "report.json",
  stream: "stream.jsonl",
} as const;
export type BundleFile = keyof typeof BUNDLE_ENTRIES;
export const BUNDLE_FILES = Object.keys(BUNDLE_ENTRIES) as BundleFile[];

const MIB = 1024 * 1024;
/** Largest of each file, in bytes, once it is inflated: the stream is read in passing, the others are held whole. */
export const BUNDLE_FILE_MAX_BYTES: Readonly<Record<BundleFile, number>> = {
  contract: 64 * MIB,
  policy: 64 * MIB,
  report: 512 * MIB,
  stream: 4096 * MIB,
};

/** Longest name of a file or round that a manifest carries, in UTF-16 code units. */
const LONGEST_NAME = 1000;

const bundleFileSchema = z.strictObject({
  /** What the file was called where it came from; the entry's own name is fixed. */
  name: z.string().max(LONGEST_NAME),
  bytes: z.int().min(0),
  /** Of the bytes of the entry once inflated, 64 hex digits. */
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
});
export type BundleFileFacts = z.output<typeof bundleFileSchema>;

const found = z.int().min(0);
/** What health said of a report: claims, which nobody has to believe. */
export const healthClaimSchema = z.strictObject({
  status: z.literal([0, 2, 3]),
  checks: found,
  mismatches: found,
  indeterminate: found,
});
export type HealthClaim = z.output<typeof healthClaimSchema>;

/** The manifest of a bundle: what it holds, and what was said of it by whoever made it. */
export const bundleManifestSchema = z.strictObject({
  format: z.literal(BUNDLE_FORMAT),
  version: z.literal(BUNDLE_VERSION),
  /** What wrote the bundle. */
  tool: z.strictObject({ name: z.string().max(LONGEST_NAME), version: z.string().max(LONGEST_NAME) }),
  round: z.strictObject({ name: z.string().max(LONGEST_NAME), reading: z.enum(READINGS) }),
  files: z.strictObject({
    contract: bundleFileSchema,
    policy: bundleFileSchema,
    report: bundleFileSchema,
    /** Null where whoever made the bundle keeps the stream back: such a bundle cannot be judged. */
    stream: bundleFileSchema.nullable(),
  }),
  /** What the service's health claimed when the bundle was made; null where it claimed nothing. */
  claim: healthClaimSchema.nullable(),
});
export type BundleManifest = z.output<typeof bundleManifestSchema>;
