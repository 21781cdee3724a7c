import type { LogAdmissions, LogBuckets, LogLine } from "../../contract/decision-log.ts";
import type { StatedAdmission, StatedBucket, Statement } from "../gate/stated.ts";
import type { LogKey } from "./log-key.ts";

/** Rows of one line: to hash and print them takes about a millisecond, in which nothing is decided. */
const ROWS = 200;

function* parts<T>(all: readonly T[]): Generator<readonly T[]> {
  for (let at = 0; at < all.length; at += ROWS) yield all.slice(at, at + ROWS);
}

const bucketRow = (
  { client, rule, num, den, last_ms, used }: StatedBucket,
  key: LogKey,
): LogBuckets["rows"][number] => [key.client(client), rule, `${num}/${den}`, last_ms, used];

function admissionRow(admission: StatedAdmission, key: LogKey): LogAdmissions["rows"][number] {
  const { id, client, rules, taken, gone, ...rest } = admission;
  const lists = { rules: [...rules], taken: [...taken], gone: [...gone] };
  return { hold: key.hold(id), client: key.client(client), ...lists, ...rest };
}

/** What a gate states of itself, as its log tells it (G11): a line at a time, each worked out when it is asked for. */
export function* stateLines(state: Statement, key: LogKey): Generator<LogLine> {
  const { seq, at, version, config, ledger, evictions, buckets, admissions, freebies } = state;
  yield { line: "live", version, config };
  const counts = {
    buckets: buckets.reduce((sum, one) => sum + one.buckets.length, 0),
    admissions: admissions.length,
    freebies: freebies.length,
  };
  yield { line: "state", seq, at, ledger, evictions, ...counts };
  for (const { service, buckets: own } of buckets)
    for (const part of parts(own))
      yield { line: "buckets", service, rows: part.map((one) => bucketRow(one, key)) };
  for (const part of parts(admissions))
    yield { line: "admissions", rows: part.map((one) => admissionRow(one, key)) };
  for (const [service, own] of Map.groupBy(freebies, (one) => one.service))
    for (const part of parts(own))
      yield {
        ...{ line: "freebies", service },
        rows: part.map(({ client, count }): [string, number] => [key.client(client), count]),
      };
}
