import { join, resolve } from "node:path";
import type { GateAnswer } from "../../contract/gate-console.ts";
import type { InputProblem } from "../../contract/input.ts";
import { type AdminAccess, readAdminAccess } from "../gateway/admin-access.ts";
import { dataDir } from "../rounds/settings.ts";

/** How long the admin interface may take to answer. */
const TIMEOUT_MS = 10_000;

/** Folder of the gate's data: the one of `THROTTLE_GATE_DATA`, else `gate` in the console's own (§7). */
export const gateFolder = (): string => process.env.THROTTLE_GATE_DATA || join(dataDir(), "gate");

/** The same as whoever starts a gate from any folder can name it. */
const namedFolder = (): string => resolve(/* turbopackIgnore: true */ gateFolder());

/** Where the gate is: as the environment says, else as the gate itself wrote it down when it started. */
async function gateAccess(): Promise<AdminAccess | null> {
  const { THROTTLE_GATE_ADMIN: url, THROTTLE_GATE_TOKEN: token } = process.env;
  return url && token ? { url, token } : readAdminAccess(gateFolder());
}

const problemsOf = (value: unknown): readonly InputProblem[] => {
  const problems = (value as { problems?: unknown } | null)?.problems;
  return Array.isArray(problems) ? problems : [{ file: "gate", path: "", message: "the gate refused" }];
};

/** Asks the gate's admin interface (G8); what it answers, or why it does not. Never rejects. */
export async function askGate<T>(
  method: "GET" | "POST",
  path: string,
  body?: object,
): Promise<GateAnswer<T>> {
  const access = await gateAccess();
  if (access === null) return { kind: "absent", folder: namedFolder() };
  try {
    const response = await fetch(new URL(path, access.url), {
      method,
      cache: "no-store",
      headers: { authorization: `Bearer ${access.token}`, "content-type": "application/json" },
      signal: AbortSignal.timeout(TIMEOUT_MS),
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const value: unknown = await response.json();
    if (response.ok) return { kind: "answer", value: value as T };
    return { kind: "refused", status: response.status, problems: problemsOf(value) };
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    return {
      kind: "unreachable",
      url: access.url,
      message: cause instanceof Error ? cause.message : String(cause),
    };
  }
}
