import type { InputResult } from "../../contract/input.ts";
import { DecisionLog } from "../decision-log/decision-log.ts";
import type { MemoryFreebies } from "../gate/freebies.ts";
import type { Gate } from "../gate/gate.ts";
import type { MemoryStore } from "../gate/memory-store.ts";
import { statementOf } from "../gate/statement.ts";
import { besideSettings, type ReadSettings, readBytes, refusedBy } from "./read-settings.ts";

/** A key shorter than this can be tried out. */
const KEY_MIN_BYTES = 16;

/** What the log asks of the gate when it says how things stand; there once the gate is. */
export interface Told {
  readonly gate: Gate;
  /** Null: others turn to the store too, so that the log cannot tell how it stands. */
  readonly store: MemoryStore | null;
  /** Null: free requests are counted elsewhere. */
  readonly freebies: MemoryFreebies | null;
}

/** Most buckets, admissions and clients with free requests that are stated: copying them takes about 10 ms. */
const STATED_MAX = 100_000;

/** What the gate knows, for the head of a file; null: it is not its own alone, or too much. */
const stateOf = ({ gate, store, freebies }: Told) =>
  store === null ? null : statementOf(gate, store, freebies, Date.now(), STATED_MAX);

/** The log's last word on the gate: counts as of now (G4, G6). */
function tallyOf({ gate, store }: Told) {
  if (store === null) return null;
  const at = Date.now();
  store.moveOn(at);
  const entries = gate.config.services.map(({ name }): [string, number] => [name, store.sizeOf(name)]);
  return { seq: gate.seq, at, ...store.state(), entries };
}

/** Opens the decision log of the settings (G11); null: none is wanted. Its file is made with its first line. */
export async function openLog(
  read: ReadSettings,
  told: () => Told | null,
): Promise<InputResult<DecisionLog | null>> {
  const { log, store, freebies } = read.settings;
  if (log === undefined) return { ok: true, value: null };
  const { folder, key_file, ...bounds } = log;
  const key = key_file === undefined ? undefined : await readBytes(besideSettings(read, key_file));
  if (key?.ok === false) return key;
  if (key !== undefined && key.value.length < KEY_MIN_BYTES)
    return refusedBy(key_file!, "", `is too short for a key; expected at least ${KEY_MIN_BYTES} bytes`);
  const opened = new DecisionLog({
    folder: besideSettings(read, folder),
    ...bounds,
    ...(key === undefined ? {} : { key: Buffer.from(key.value).toString("utf8").trimEnd() }),
    store: store === undefined ? "memory" : "shared",
    freebies: store !== undefined ? "shared" : freebies === "memory" ? "memory" : "elsewhere",
    tally: () => {
      const now = told();
      return now === null ? null : tallyOf(now);
    },
    state: () => {
      const now = told();
      return now === null ? null : stateOf(now);
    },
    clock: Date.now,
  });
  return { ok: true, value: opened };
}
