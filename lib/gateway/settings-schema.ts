import { z } from "zod";
import { nameSchema } from "../../contract/name.ts";
import { integerSchema } from "../../contract/number.ts";
import { DECISION_LOG_DEFAULTS } from "../decision-log/log-settings.ts";
import { HOLDERS } from "./hold-permission.ts";

/** How the server runs, as opposed to what it decides. Everything has a default that works. */

const LOOPBACK = /^(?:127(?:\.\d{1,3}){3}|::1|localhost)$/;
const HEADER = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const SYMMETRIC = ["HS256", "HS384", "HS512"];
const ASYMMETRIC = [
  ...["RS256", "RS384", "RS512", "PS256", "PS384", "PS512"],
  ...["ES256", "ES384", "ES512", "EdDSA", "Ed25519", "ML-DSA-44", "ML-DSA-65", "ML-DSA-87"],
];

const text = (expected: string) => z.string({ error: `expected ${expected}` }).min(1, `expected ${expected}`);
const whole = (min: number, max: number, fallback: number) =>
  integerSchema(min, max)
    .optional()
    .transform((value) => value ?? fallback);
const header = text("a header's name").regex(HEADER, "is no header's name");

const place = (port: number) =>
  z.strictObject({
    host: text("a host name or an address").default("127.0.0.1"),
    port: whole(0, 65_535, port),
  });

const bearerSchema = z
  .strictObject({
    secret: text("a secret").optional(),
    secret_file: text("a file").optional(),
    keys_file: text("a file").optional(),
    keys_url: z.url({ protocol: /^https?$/, error: "is no URL; expected http:// or https://" }).optional(),
    algorithms: z
      .array(
        z.enum([...SYMMETRIC, ...ASYMMETRIC], "is no signature that is taken; such as RS256, ES256 or HS256"),
      )
      .min(1, "expected at least one algorithm"),
    issuer: text("the issuer").optional(),
    audience: text("the audience").optional(),
    claim: text("the claim that is the client's id").default("sub"),
  })
  .superRefine((bearer, context) => {
    const given = (["secret", "secret_file", "keys_file", "keys_url"] as const).filter((one) => bearer[one]);
    if (given.length !== 1)
      context.addIssue({
        code: "custom",
        message: "expected exactly one of secret, secret_file, keys_file and keys_url",
      });
    // A public key taken for a secret would let everybody sign.
    const fitting = given[0]?.startsWith("secret") ? SYMMETRIC : ASYMMETRIC;
    bearer.algorithms.forEach((algorithm, index) => {
      if (given.length === 1 && !fitting.includes(algorithm))
        context.addIssue({
          code: "custom",
          path: ["algorithms", index],
          message: `does not go with ${given[0]}; expected one of ${fitting.join(", ")}`,
        });
    });
  });

const keySchema = z.strictObject({
  id: nameSchema,
  sha256: text("64 hex digits").regex(
    /^[0-9a-f]{64}$/,
    "is no SHA-256; expected 64 hex digits in lower case",
  ),
});

const credentialsSchema = z.strictObject({
  bearer: bearerSchema.optional(),
  api_keys: z
    .strictObject({
      header: header.default("x-api-key"),
      keys: z.array(keySchema),
    })
    .superRefine(({ keys }, context) => {
      const seen = new Set<string>();
      keys.forEach(({ sha256 }, index) => {
        if (seen.has(sha256))
          context.addIssue({ code: "custom", path: ["keys", index, "sha256"], message: "is there twice" });
        seen.add(sha256);
      });
    })
    .optional(),
  trusted_header: header.optional(),
});

const adminSchema = z.strictObject({
  host: text("a loopback address")
    .regex(LOOPBACK, "is not on this machine; expected 127.0.0.1, ::1 or localhost")
    .default("127.0.0.1"),
  port: whole(0, 65_535, 8081),
  token: text("a token").min(16, "is too short; expected at least 16 characters").optional(),
});

const storeSchema = z.strictObject({
  url: z.url({ protocol: /^rediss?$/, error: "is no URL of a store; expected redis:// or rediss://" }),
  /** Gates with the same prefix share their buckets. */
  prefix: text("a prefix")
    .regex(/^[^{}]+$/, "expected a prefix without braces")
    .default("tenantthrottle"),
  timeout_ms: whole(1, 60_000, 500),
});

const logSchema = z.strictObject({
  folder: text("a folder"),
  /** Key of the hashes, so that logs can be compared; absent: one that dies with the log. */
  key_file: text("a file").optional(),
  file_bytes: whole(4096, 4 * 1024 ** 3, DECISION_LOG_DEFAULTS.file_bytes),
  files: whole(1, 100_000, DECISION_LOG_DEFAULTS.files),
  waiting_bytes: whole(4096, 1024 ** 3, DECISION_LOG_DEFAULTS.waiting_bytes),
});

export const settingsSchema = z.strictObject({
  /** Where services are reached, and the gate's own endpoints unless they have a place of their own. */
  listen: place(8080).prefault({}),
  /** A place of their own for `/check`, `/admissions`, `/metrics`, `/healthz` and `/readyz`. */
  endpoints: place(8082).optional(),
  admin: adminSchema.prefault({}),
  /** Folder of the version history and the admin token. */
  data: text("a folder").optional(),
  credentials: credentialsSchema.prefault({}),
  /** A store that processes share (G12); absent: the memory of this one. */
  store: storeSchema.optional(),
  /** Where free requests are counted (G7), unless that is the shared store: a restart must not give them anew. */
  freebies: z.enum(["database", "memory"]).default("database"),
  /** Where decisions are written down (G11); absent: nowhere. */
  log: logSchema.optional(),
  /** Which headers `/check` takes the original request from. */
  check_headers: z.enum(["auto", "forwarded", "original"]).default("auto"),
  /** Who may hold what `/check` admits: this machine and trusted proxies, everybody who reaches it, or nobody. */
  holds: z.enum(HOLDERS).default("trusted"),
  /** How long an upstream may take to begin to answer. */
  upstream_timeout_ms: whole(1, 3_600_000, 60_000),
  /** How long a shutdown waits for requests under way. */
  shutdown_ms: whole(0, 3_600_000, 10_000),
});

export type Settings = z.output<typeof settingsSchema>;
export type StoreSettings = z.output<typeof storeSchema>;
export type BearerSettings = z.output<typeof bearerSchema>;
