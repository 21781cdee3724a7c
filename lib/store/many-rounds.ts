import { createHash } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import type { RoundCard } from "../../contract/round-view.ts";
import { roundSeal } from "./row-seal.ts";
import type { RoundRow } from "./schema.ts";

const DAY_MS = 86_400_000;
/** When the newest of the rounds was started. */
export const NEWEST_MS = Date.UTC(2026, 9, 25, 10);
/** About what a finished round's summary has, in characters. */
const SUMMARY_LENGTH = 12_000;
const TENANTS = 200;
/** Beyond what a store that is in use has noted. */
const FIRST_TENANT = 1_000_000;
const TENANTS_A_ROUND = 4;

const STATES = ["done", "done", "done", "done", "done", "done", "refused", "failed", "cancelled", "waiting"];
const OUTCOMES = ["clean", "finding", "clean", "unjudged", "clean", "finding"];

/** Digest-like text of a number: the same on every machine. */
const digest = (n: number): string => ((n * 2_654_435_761) % 2 ** 32).toString(16).padStart(8, "0").repeat(8);

/** What the list shows of the round of a number. */
function cardOf(n: number): RoundCard {
  const lies = n % 10 === 1;
  const claims = ["report", "exit", "health", "probe", "acceptance"] as const;
  return {
    counts: { accepted: 9 + (n % 5), queued: n % 7, rejected: n % 4, reserve_breached: n % 3 },
    requests: (n * 7919) % 100_000,
    tenants: TENANTS_A_ROUND,
    span_ms: 60_000,
    board: {
      signals: claims.map((name, at) => {
        const isWell = !lies || at < 3;
        const evidence = isWell ? "100 checks, 0 mismatches" : "100 checks, 3 mismatches";
        return { name, claim: isWell ? "well" : "unwell", evidence, grounded: true, lies: lies && isWell };
      }),
      true_mismatches: lies ? 3 : 0,
      false_green: lies,
      disagree: lies,
    },
  };
}

/** Where the streams of rounds of a title begin to be counted: no other title has them too. */
const firstStream = (title: string): number =>
  1000 * [...title].reduce((sum, character) => (sum * 31 + character.charCodeAt(0)) % 2999, 0);

/** Stores texts as artifacts, each once; answers their digests. */
function artifactsIn(dataDir: string): (text: string) => string {
  const stored = new Map<string, string>();
  return (text) => {
    const sha256 = stored.get(text) ?? createHash("sha256").update(text).digest("hex");
    if (stored.has(text)) return sha256;
    const folder = join(dataDir, "artifacts", sha256.slice(0, 2));
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, sha256), text);
    stored.set(text, sha256);
    return sha256;
  };
}

/**
 * Fills the database of a store that was opened and closed with so many rounds, an hour apart, for tests and benchmarks
 * of the list: every state and outcome, every tenth a false green, names that begin with the title and differ, four of
 * 200 tenants in each. Rounds of another title have other streams, and the same tenants.
 */
export function fillWithRounds(dataDir: string, count: number, title = "Night"): void {
  const db = new Database(join(dataDir, "tenantthrottle.sqlite"));
  const artifact = artifactsIn(dataDir);
  const round = db.prepare(
    `INSERT INTO round (id, name, state, created_at_ms, reading, faults, contract_name, contract_sha256, policy_name,
       policy_sha256, stream_name, stream_sha256, stream_bytes, requests, false_green, outcome, summary, card)
     VALUES (?, ?, ?, ?, 'strict', '[]', 'contract.json', ?, 'policy.json', ?, ?, ?, 1000, ?, ?, ?, ?, ?)`,
  );
  const sealed = db.prepare("SELECT * FROM round WHERE id = ?");
  const seal = db.prepare("UPDATE round SET seal = ? WHERE id = ?");
  const tenant = db.prepare("INSERT OR IGNORE INTO tenant_name (id, name) VALUES (?, ?)");
  const occurs = db.prepare("INSERT OR IGNORE INTO round_tenant (tenant_id, round_id) VALUES (?, ?)");
  const summary = JSON.stringify("s".repeat(SUMMARY_LENGTH));
  db.transaction(() => {
    for (let n = 1; n <= TENANTS; n++) tenant.run(FIRST_TENANT + n, `tenant-${n}`);
    for (let n = 0; n < count; n++) {
      const id = `${title.toLowerCase()}-${String(n).padStart(6, "0")}`;
      const state = STATES[n % STATES.length]!;
      const isDone = state === "done";
      round.run(
        id,
        `${title} ${digest(n).slice(0, 6)} of region ${n % 7}`,
        state,
        NEWEST_MS - (count - 1 - n) * (DAY_MS / 24),
        artifact("a contract"),
        artifact("a policy"),
        `access-${n % 300}.log`,
        artifact(`stream ${firstStream(title) + (n % 300)}`),
        isDone ? (n * 7919) % 100_000 : null,
        isDone ? Number(n % 10 === 1) : null,
        isDone ? OUTCOMES[n % OUTCOMES.length] : null,
        isDone ? summary : null,
        isDone ? JSON.stringify(cardOf(n)) : null,
      );
      if (isDone) seal.run(roundSeal(sealed.get(id) as RoundRow), id);
      for (let t = 0; t < TENANTS_A_ROUND; t++)
        occurs.run(FIRST_TENANT + 1 + ((n * 31 + t * 17) % TENANTS), id);
    }
  })();
  db.close();
}
