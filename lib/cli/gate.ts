import { randomBytes } from "node:crypto";
import { apiKeyDigest } from "../gateway/credentials/api-keys.ts";
import { startGate } from "../gateway/start.ts";
import { problemLine } from "../rounds/round-problem.ts";
import { tellPeople } from "./tell.ts";

/** Options of the verb, as commander hands them over. */
export interface GateVerbOptions {
  config?: string;
  settings?: string;
  host?: string;
  port?: string;
  adminPort?: string;
  endpointsPort?: string;
  data?: string;
  store?: string;
  log?: string;
}

const SIGNALS = ["SIGINT", "SIGTERM"] as const;

/** A terminal tells each process of a command, and whoever started this one hands it on: within so long it is one signal. */
const SAME_SIGNAL_MS = 500;

/** Resolves at the first signal to end; at a later one the process ends at once. */
function signalled(): Promise<string> {
  return new Promise((resolve) => {
    let asked_ms: number | null = null;
    for (const signal of SIGNALS)
      process.on(signal, () => {
        const now_ms = performance.now();
        if (asked_ms !== null && now_ms - asked_ms > SAME_SIGNAL_MS) process.exit(1);
        asked_ms ??= now_ms;
        resolve(signal);
      });
  });
}

const say = (message: string): void => tellPeople(`gate: ${message}`);

function warn(error: unknown): void {
  say(error instanceof Error ? error.message : String(error));
}

/** `gate`: runs the live limiter until a signal ends it: 0. Refused, with every problem listed: 3 (§1). */
export async function gateVerb({ config, settings, ...overrides }: GateVerbOptions): Promise<number> {
  const token = process.env.THROTTLE_GATE_TOKEN || undefined;
  const started = await startGate({ config, settings, overrides: { ...overrides, token }, report: warn });
  if (!started.ok) {
    for (const problem of started.problems) tellPeople(problemLine(problem));
    say(`not started: ${started.problems.length} ${started.problems.length === 1 ? "problem" : "problems"}`);
    return 3;
  }
  const { server, places, data, close } = started.value;
  const asked = signalled();
  console.log(JSON.stringify({ ...places, version: server.version, data }));
  say(`version ${server.version} serves on http://${places.listen.host}:${places.listen.port}`);
  say(`${await asked}: no more requests are taken`);
  const ended = await close();
  say(`ended; ${ended} held ${ended === 1 ? "admission was" : "admissions were"} committed`);
  return 0;
}

/** `gate-key`: makes an API key; 3 without a client's id. The key goes to stdout once; the settings hold its digest alone. */
export function gateKeyVerb(id: string): number {
  if (id.trim() === "") {
    tellPeople("gate-key: the client's id is empty; expected a name");
    return 3;
  }
  const key = `tt_${randomBytes(32).toString("base64url")}`;
  console.log(JSON.stringify({ key, entry: { id, sha256: apiKeyDigest(key) } }));
  tellPeople("Give the key to its client; put the entry into credentials.api_keys.keys of the settings.");
  return 0;
}
