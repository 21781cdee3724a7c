import {
  durationMs,
  type GateConfig,
  type GateRule,
  type GateService,
  type GateTextFaults,
  readGateConfig,
} from "../../contract/gate-config.ts";
import type { InputResult } from "../../contract/input.ts";
import { addressOf, type ClientKey, clientOf, type Hop, hopOf, networkOf } from "./client.ts";
import { expressionFault, fits } from "./expression.ts";
import { normalHost, normalPath } from "./path.ts";
import { Recent } from "./recent.ts";

/** A rule ready to decide: `requests` tokens every `per_ms`, at most `burst`. */
export interface Rule {
  readonly id: string;
  /** Its place in the service's list. */
  readonly index: number;
  readonly pattern: string;
  readonly fits: (path: string) => boolean;
  readonly requests: number;
  readonly per_ms: number;
  readonly burst: number;
  /** A full bucket in 1/`per_ms` tokens; meaningless where `wide` is there. */
  readonly cap: number;
  /** Milliseconds that fill an empty bucket. */
  readonly fill_ms: number;
  /** There where plain numbers would not be exact (§2): buckets of this rule are counted in big integers. */
  readonly wide: { readonly burst: bigint; readonly per_ms: bigint } | null;
}

export interface Service {
  readonly name: string;
  /** Its place in the configuration. */
  readonly index: number;
  readonly config: GateService;
  readonly fitsHost: (host: string) => boolean;
  readonly fitsPath: (path: string) => boolean;
  readonly rules: readonly Rule[];
  /** The client of an address as it is spelled, null where it is none (G3); the latest are remembered. */
  readonly clientAt: (address: string) => ClientKey | null;
}

/** Where a request goes: its service and the rules that apply, in order (G2). */
export interface Route {
  readonly service: Service;
  readonly rules: readonly Rule[];
  readonly path: string;
}

/** A configuration ready to decide, never changed after it was made (G8). */
export interface Snapshot {
  /** Normal form, defaults filled in; frozen. */
  readonly config: GateConfig;
  readonly services: readonly Service[];
  /** A hop as it is spelled, and whether its headers are believed (G3); the latest are remembered. */
  readonly hopAt: (text: string) => Hop;
  /** The first service that matches; null: none (G1). Host and path as they came. */
  readonly routeOf: (host: string, path: string) => Route | null;
}

/** Answers remembered for each snapshot and service. */
const REMEMBERED = 8192;
/** Longer spellings are worked out anew each time, so that what is remembered stays small. */
const REMEMBERED_LENGTH = 512;

/** What fills and bounds a bucket, worked out once: see `Rule`. */
export function limitOf(
  requests: number,
  per_ms: number,
  burst: number,
): Pick<Rule, "requests" | "per_ms" | "burst" | "cap" | "fill_ms" | "wide"> {
  const cap = burst * per_ms;
  // The largest sum that `partsAt` makes is below cap + requests × (fill_ms) ≤ 2 × cap + requests.
  const exact = Number.isSafeInteger(2 * cap + requests);
  const wide = exact ? null : { burst: BigInt(burst), per_ms: BigInt(per_ms) };
  return { requests, per_ms, burst, cap, fill_ms: Math.ceil(cap / requests), wide };
}

function compileRule({ id, requests, per, burst, path }: GateRule, index: number): Rule {
  return { id, index, pattern: path ?? "", fits: fits(path), ...limitOf(requests, durationMs(per)!, burst) };
}

/** A function of texts that remembers its latest answers within a bound. */
function remembered<V extends object | null>(work: (text: string) => V): (text: string) => V {
  const recent = new Recent<V>(REMEMBERED);
  return (text) => {
    const known = recent.get(text);
    if (known !== undefined) return known;
    const answer = work(text);
    if (text.length <= REMEMBERED_LENGTH) recent.set(text, answer);
    return answer;
  };
}

function compileService(config: GateService, index: number): Service {
  return {
    name: config.name,
    index,
    config,
    fitsHost: fits(config.host),
    fitsPath: fits(config.path),
    rules: config.rules.map(compileRule),
    clientAt: remembered((text) => {
      const address = addressOf(text);
      return address === null ? null : clientOf(address, config.client_prefix);
    }),
  };
}

function router(services: readonly Service[]): Snapshot["routeOf"] {
  const find = (host: string, spelled: string): Route | null => {
    const path = normalPath(spelled);
    const plainHost = normalHost(host);
    const service = services.find((one) => one.fitsHost(plainHost) && one.fitsPath(path));
    return service === undefined
      ? null
      : { service, path, rules: service.rules.filter((rule) => rule.fits(path)) };
  };
  if (services.every(({ config }) => config.host === undefined)) {
    const byPath = remembered((path) => find("", path));
    return (_host, path) => byPath(path);
  }
  // The host's length in front tells host and path apart again, whatever characters they hold.
  const byBoth = remembered((both) => {
    const colon = both.indexOf(":");
    const end = colon + 1 + Number(both.slice(0, colon));
    return find(both.slice(colon + 1, end), both.slice(end));
  });
  return (host, path) => byBoth(`${host.length}:${host}${path}`);
}

function frozen<T>(value: T): T {
  // What is no object counts as frozen.
  if (Object.isFrozen(value)) return value;
  for (const part of Object.values(Object.freeze(value) as object)) frozen(part);
  return value;
}

const FAULTS: GateTextFaults = {
  expression: expressionFault,
  network: (text) => (networkOf(text) === null ? 'is no network; expected CIDR, such as "10.0.0.0/8"' : null),
};

/**
 * Validates a configuration, and compiles it (G1, G8). The snapshot shares nothing with `value`. Refused: every
 * problem with its path; expressions that RE2 refuses are told with the construct.
 */
export function compileSnapshot(value: unknown, file = "config"): InputResult<Snapshot> {
  const read = readGateConfig(value, FAULTS, file);
  if (!read.ok) return read;
  const config = frozen(read.value);
  const services = config.services.map(compileService);
  const trusted = config.trusted_proxies.map((text) => networkOf(text)!);
  const hopAt = remembered((text) => hopOf(text, trusted));
  return { ok: true, value: { config, services, hopAt, routeOf: router(services) } };
}
