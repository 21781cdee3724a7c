import type { InputResult } from "../../contract/input.ts";
import { type RunningGate, startGate } from "./start.ts";

/** A variable's value; a variable that is empty is not set. */
const setting = (name: string): string | undefined => process.env[`THROTTLE_GATE_${name}`] || undefined;

/** Starts a gate as the environment says: the variables are those of the command line's options. */
export function startFromEnvironment(report: (error: unknown) => void): Promise<InputResult<RunningGate>> {
  return startGate({
    config: setting("CONFIG"),
    settings: setting("SETTINGS"),
    overrides: {
      host: setting("HOST"),
      port: setting("PORT"),
      adminPort: setting("ADMIN_PORT"),
      endpointsPort: setting("ENDPOINTS_PORT"),
      token: setting("TOKEN"),
      data: setting("DATA"),
      store: setting("STORE"),
      log: setting("LOG"),
    },
    report,
  });
}
