import { startFromEnvironment } from "./lib/gateway/start-from-environment.ts";
import { problemLine } from "./lib/rounds/round-problem.ts";
import { roundsService } from "./lib/rounds/shared-service.ts";

/**
 * Opens the store, so that rounds go on that an earlier process left, without a visitor; and starts the live limiter in
 * this process too where that is wanted. Where either cannot be, the console does not start (status 3).
 */
export async function startConsole(): Promise<void> {
  try {
    await roundsService();
    if (process.env.THROTTLE_GATE_IN_CONSOLE === "1") await startGate();
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exit(3);
  }
}

async function startGate(): Promise<void> {
  const started = await startFromEnvironment((error) => console.error("gate:", error));
  if (!started.ok) throw new Error(started.problems.map(problemLine).join("\n"));
  const { places, close } = started.value;
  console.error(`gate: serves on http://${places.listen.host}:${places.listen.port}`);
  // `npm start` leaves signals to this process then (NEXT_MANUAL_SIG_HANDLE), so that held admissions are ended.
  // A terminal tells each process of a command, and the script hands it on: a second one must not cut that short.
  let isEnding = false;
  const end = () => {
    if (isEnding) return;
    isEnding = true;
    void close().finally(() => process.exit(0));
  };
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, end);
}
