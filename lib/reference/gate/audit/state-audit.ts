import type { LogState } from "../../../../contract/decision-log.ts";
import type { FieldDifference } from "../log-difference.ts";
import { type Machine, machine } from "../machine.ts";
import { quotientOf } from "../resumed.ts";
import type { AuditedStore } from "./audited-store.ts";
import type { KnownSnapshots } from "./known-snapshots.ts";
import { LineComparison } from "./line-comparison.ts";

interface StateAuditParts {
  readonly snapshots: KnownSnapshots;
  readonly comparison: LineComparison;
}

/**
 * What a gate states of itself where a file of its log begins (G11). Where the files before were judged it must be what
 * they come to; else the judging begins with it, and it is taken on the gate's word, as far as it does not contradict
 * itself.
 */
export function auditState(
  one: LogState,
  store: AuditedStore,
  { snapshots, comparison }: StateAuditParts,
): FieldDifference[] {
  const { seq } = one;
  if (store.machine === null) return begin(one, store, snapshots, comparison);
  if (snapshots.isReplaced) return [];
  const found = store.machine;
  found.moveOn(one.at);
  const { ledger, evictions, version, config } = found.state();
  return [
    ...comparison.compare(one, { version, config }, seq),
    ...comparison.compare(one.ledger, ledger, seq),
    ...comparison.compare(one.evictions, evictions, seq),
    ...compareAll(claimed(one), known(found), seq, comparison),
  ];
}

function begin(
  one: LogState,
  store: AuditedStore,
  snapshots: KnownSnapshots,
  comparison: LineComparison,
): FieldDifference[] {
  const { seq, version, ledger } = one;
  const config = snapshots.begin(one);
  if (config === null) return [{ seq, clause: "G1", field: "config", logged: "live", expected: "refused" }];
  const begun = machine(config.live, version);
  begun.resume(one);
  const outstanding = one.admissions.filter(({ taken, gone }) => taken.length + gone.length > 0).length;
  const { reserved, committed, cancelled, expired } = ledger;
  const found = [
    ...comparison.compare(
      { equation: reserved },
      { equation: committed + cancelled + expired + outstanding },
      seq,
    ),
    ...comparison.compare(ledger, { outstanding }, seq),
    // A balance above its burst was cut; that all others are as stated proves nothing, and is not counted.
    ...compareAll(claimed(one), known(begun), seq, new LineComparison()),
  ];
  // What a configuration would have done begins with its being published here (G8).
  if (snapshots.isReplaced) begun.publish(config.decides, one.at);
  store.machine = begun;
  return found;
}

/** What is stated, thing by thing, in a form of which there is one only. */
type Things = Map<string, { readonly field: string; readonly value: object }>;

interface Kept {
  readonly service: string;
  readonly client: string;
  readonly rule: string;
  readonly balance: { readonly n: bigint; readonly d: bigint };
  readonly last_ms: number;
  readonly used: number;
}

const keyOf = (...parts: string[]): string => JSON.stringify(parts);

function addBuckets(things: Things, all: readonly Kept[]): void {
  for (const [service, own] of Map.groupBy(all, (bucket) => bucket.service)) {
    const uses = [...new Set(own.map(({ used }) => used))].sort((a, b) => a - b);
    const placeOf = new Map(uses.map((used, place) => [used, place]));
    for (const { client, rule, balance, last_ms, used } of own) {
      const value = { service, client, rule, balance: `${balance.n}/${balance.d}`, last_ms };
      things.set(keyOf("bucket", service, client, rule), { field: "bucket", value });
      const use = { service, client, rule, use: placeOf.get(used)! };
      things.set(keyOf("use", service, client, rule), { field: "use", value: use });
    }
  }
}

function claimed({ buckets, admissions, freebies }: LogState): Things {
  const things: Things = new Map();
  const all = buckets.flatMap(({ service, rows }) =>
    rows.map(([client, rule, text, last_ms, used]): Kept => {
      return { service, client, rule, balance: quotientOf(text), last_ms, used };
    }),
  );
  addBuckets(things, all);
  for (const admission of admissions)
    things.set(keyOf("admission", admission.hold), { field: "admission", value: admission });
  for (const { service, rows } of freebies)
    for (const [client, count] of rows)
      things.set(keyOf("free", service, client), {
        field: "free_requests",
        value: { service, client, count },
      });
  return things;
}

function known(machine: Machine): Things {
  const things: Things = new Map();
  const { buckets } = machine.state();
  addBuckets(things, [...buckets]);
  for (const {
    label: hold,
    service,
    client,
    rules,
    taken,
    freebie,
    hold_ms,
    due_ms,
    was,
  } of machine.admissions()) {
    // Nobody but the gate could end it, and it is over (G7).
    if (typeof hold === "symbol") continue;
    const own = was === null ? taken : [];
    const isThere = (bucket: (typeof own)[number]) => buckets.find(service, bucket.rule, client) === bucket;
    const ids = (there: boolean) => own.filter((bucket) => isThere(bucket) === there).map(({ rule }) => rule);
    const names = { hold, service, client, rules, taken: ids(true), gone: ids(false) };
    const value = { ...names, freebie: freebie !== null, hold_ms, due_ms, was };
    things.set(keyOf("admission", hold), { field: "admission", value });
  }
  for (const { service, client, count } of machine.freebies())
    if (count > 0)
      things.set(keyOf("free", service, client), {
        field: "free_requests",
        value: { service, client, count },
      });
  return things;
}

function compareAll(
  logged: Things,
  expected: Things,
  seq: number,
  comparison: LineComparison,
): FieldDifference[] {
  const differences: FieldDifference[] = [];
  for (const key of new Set([...logged.keys(), ...expected.keys()])) {
    const [a, b] = [logged.get(key), expected.get(key)];
    const { field } = (a ?? b)!;
    differences.push(
      ...comparison.compare({ [field]: a?.value ?? null }, { [field]: b?.value ?? null }, seq),
    );
  }
  return differences;
}
