import type {
  GateBalances,
  GateCaseResult,
  GateEndOutcome,
  GateEndStep,
  GateOutcome,
  GatePublishOutcome,
  GatePublishStep,
  GateRequestOutcome,
  GateRequestStep,
  GateStep,
} from "../../../contract/gate-case.ts";
import type { GateConfig, GateRule, GateService } from "../../../contract/gate-config.ts";
import { type Admission, admissionBook } from "./admission.ts";
import { type Bucket, balanceAt, debit, giveBack, lacksToken, rateOf, refill, waitOf } from "./bucket.ts";
import { less, nearestDouble, smaller, whole } from "./fraction.ts";
import { networkOf } from "./network.ts";
import { makeRoom, trim } from "./room.ts";
import { type Matches, route } from "./route.ts";
import type { GateState } from "./state.ts";

/** What the reference is handed: how a configuration is judged, and RE2. */
export interface ReplayTools {
  /** The configuration in normal form, or null where it must be refused (G1). */
  accept(config: unknown): GateConfig | null;
  matches: Matches;
}

export interface Replay {
  step(step: GateStep): GateOutcome;
  /** Ledger, evictions and the number of buckets of each service, as of the last step. */
  state(): Readonly<GateState>;
}

/** Decides the steps of a case again (G1–G8), by exact rationals and from the text alone. Throws where the first configuration is refused. */
export function replay(config: unknown, tools: ReplayTools): Replay {
  const first = tools.accept(config);
  if (first === null) throw new Error("the configuration of the case is refused (G1)");
  const state: GateState = {
    config: first,
    version: 1,
    buckets: [],
    requests: 0,
    ledger: { reserved: 0, committed: 0, cancelled: 0, expired: 0, outstanding: 0 },
    evictions: { full: 0, lossy: 0 },
    freebies: [],
  };
  const book = admissionBook(state);

  function step(one: GateStep): GateOutcome {
    book.moveOn(one.at);
    if (one.op === "request") return request(one);
    return one.op === "publish" ? publish(one) : end(one);
  }

  /** G7, row by row. */
  function request(one: GateRequestStep): GateRequestOutcome {
    const target = route(state.config, one, tools.matches);
    if (target === null) return { verdict: "unmatched" };
    const { service, rules } = target;
    const network = networkOf(one.ip, service.client_prefix);
    const byToken = service.auth !== "off" && one.token !== undefined;
    const free = service.auth === "off" || service.price === 0;
    const most = typeof service.auth === "object" ? service.auth.freebie : 0;
    if (!byToken && !free && most === 0) return { verdict: "challenged" };
    if (!byToken && network === null)
      return {
        ...{ client: null, rules: rules.map(({ id }) => id), verdict: "denied", reason: "client" },
        ...{ denied_by: [], retry_after_ms: null, balances: Object.create(null) },
      };
    const client = byToken ? `token:${one.token}` : `ip:${network}`;
    const counted = !byToken && !free ? freebiesOf(service.name, client) : null;
    if (counted !== null && counted.count >= most) return { verdict: "challenged" };
    return admit(one, service, rules, client, counted);
  }

  function freebiesOf(service: string, client: string) {
    const known = state.freebies.find((entry) => entry.service === service && entry.client === client);
    if (known !== undefined) return known;
    const fresh = { service, client, count: 0 };
    state.freebies.push(fresh);
    return fresh;
  }

  /** G4 and G6: all matching rules as one unit. */
  function admit(
    one: GateRequestStep,
    service: GateService,
    rules: GateRule[],
    client: string,
    counted: GateState["freebies"][number] | null,
  ): GateRequestOutcome {
    const shown = () => ({ client, rules: rules.map(({ id }) => id) });
    const denied = (
      reason: "rate" | "capacity",
      lacking: GateRule[],
      retry_after_ms: number | null,
    ): GateRequestOutcome => ({
      ...{ ...shown(), verdict: "denied", reason, denied_by: lacking.map(({ id }) => id) },
      ...{ retry_after_ms, balances: balances(service, rules, client, one.at) },
    });
    state.requests += 1;
    const own: Bucket[] = [];
    const lacking: { rule: GateRule; wait: number }[] = [];
    for (const rule of rules) {
      const bucket = find(service.name, rule.id, client);
      if (bucket === undefined) continue;
      refill(bucket, rule, one.at);
      bucket.used = state.requests;
      own.push(bucket);
      if (lacksToken(bucket)) lacking.push({ rule, wait: waitOf(bucket, rule) });
    }
    if (lacking.length > 0)
      return denied(
        "rate",
        lacking.map(({ rule }) => rule),
        Math.max(...lacking.map(({ wait }) => wait)),
      );
    const missing = rules.length - own.length;
    if (missing > 0 && !makeRoom(state, service, missing, own, book.isHeld, one.at))
      return denied("capacity", [], null);
    const taken = rules.map(
      (rule) => find(service.name, rule.id, client) ?? open(service, rule, client, one.at),
    );
    for (const bucket of taken) debit(bucket);
    const fails = counted !== null && one.freebie_fails === true;
    if (counted !== null && !fails) counted.count += 1;
    // Where neither a token nor a freebie is at stake, there is no admission that a label could stand for (G4).
    const held = one.hold === true && (taken.length > 0 || counted !== null);
    const admission = book.begin(held ? one.as! : null, {
      service: service.name,
      rules: rules.map(({ id }) => id),
      client,
      taken,
      freebie: fails ? null : counted,
      start_ms: one.at,
      hold_ms: state.config.hold_ms,
    });
    if (fails) cancel(admission, one.at);
    if (fails || !held) book.close(admission, fails ? "cancelled" : "committed", one.at);
    if (fails) return { ...shown(), verdict: "error", balances: balances(service, rules, client, one.at) };
    return { ...shown(), verdict: "allowed", balances: balances(service, rules, client, one.at) };
  }

  const find = (service: string, rule: string, client: string): Bucket | undefined =>
    state.buckets.find(
      (bucket) => bucket.service === service && bucket.rule === rule && bucket.client === client,
    );

  /** A new bucket is full (G4). */
  function open(service: GateService, rule: GateRule, client: string, now_ms: number): Bucket {
    const bucket = {
      service: service.name,
      rule: rule.id,
      client,
      balance: whole(rule.burst),
      last_ms: now_ms,
      used: state.requests,
    };
    state.buckets.push(bucket);
    return bucket;
  }

  function balances(service: GateService, rules: GateRule[], client: string, now_ms: number): GateBalances {
    const shown: GateBalances = Object.create(null);
    for (const rule of rules) {
      const bucket = find(service.name, rule.id, client);
      if (bucket !== undefined) shown[rule.id] = nearestDouble(balanceAt(bucket, rule, now_ms));
    }
    return shown;
  }

  /** G4: once; under the rules of now, in the buckets that live on (G8). */
  function end(one: GateEndStep): GateEndOutcome {
    const admission = book.find(one.of);
    if (admission === undefined) return { ended: "unknown" };
    if (admission.was !== null) return { ended: "already", was: admission.was };
    const ended = one.op === "commit" ? "committed" : "cancelled";
    if (ended === "cancelled") cancel(admission, one.at);
    book.close(admission, ended, one.at);
    const service = state.config.services.find(({ name }) => name === admission.service);
    const rules = service?.rules.filter(({ id }) => admission.rules.includes(id)) ?? [];
    return {
      ended,
      balances:
        service === undefined ? Object.create(null) : balances(service, rules, admission.client, one.at),
    };
  }

  function cancel(admission: Admission, now_ms: number): void {
    for (const bucket of admission.taken) {
      const rule = ruleOf(bucket);
      // A bucket that is no longer in the list belongs to a rule that is gone, or was away.
      if (rule === undefined || !state.buckets.includes(bucket)) continue;
      refill(bucket, rule, now_ms);
      giveBack(bucket, rule);
    }
    if (admission.freebie !== null) admission.freebie.count = Math.max(0, admission.freebie.count - 1);
  }

  const ruleOf = (bucket: Bucket, config = state.config): GateRule | undefined =>
    config.services.find(({ name }) => name === bucket.service)?.rules.find(({ id }) => id === bucket.rule);

  /** G8: what lives on keeps its balance, earned at the rate of then and cut to the burst of now. */
  function publish(one: GatePublishStep): GatePublishOutcome {
    const config = tools.accept(one.config);
    if (config === null) return { published: false, version: state.version };
    state.buckets = state.buckets.filter((bucket) => ruleOf(bucket, config) !== undefined);
    for (const bucket of state.buckets) {
      const before = ruleOf(bucket)!;
      const after = ruleOf(bucket, config)!;
      const same =
        before.burst === after.burst &&
        !less(rateOf(before), rateOf(after)) &&
        !less(rateOf(after), rateOf(before));
      if (same) continue;
      refill(bucket, before, one.at);
      bucket.balance = smaller(bucket.balance, whole(after.burst));
    }
    state.config = config;
    state.version += 1;
    for (const service of config.services) trim(state, service, book.isHeld, one.at);
    return { published: true, version: state.version };
  }

  return { step, state: () => state };
}

/** All steps of a case in order, in the shape of the case files (G13). */
export function replayCase(config: unknown, steps: GateStep[], tools: ReplayTools): GateCaseResult {
  const played = replay(config, tools);
  const expected = steps.map((step) => played.step(step));
  const { ledger, evictions } = played.state();
  return { expected, ledger: { ...ledger }, evictions: { ...evictions } };
}
