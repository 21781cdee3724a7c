import { removeUnfinished } from "../../store/atomic-file.ts";

/** By which whoever started a program ends it. */
const ENDING = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/**
 * Does something that writes files; whoever ends the program meanwhile leaves nothing half written.
 * @param remove what else is to be gone then
 */
export async function leavingNothing<T>(use: () => Promise<T>, remove: () => void = () => {}): Promise<T> {
  const end = (signal: NodeJS.Signals) => {
    remove();
    removeUnfinished();
    // As if nobody had listened.
    process.kill(process.pid, signal);
  };
  for (const signal of ENDING) process.once(signal, end);
  try {
    return await use();
  } finally {
    for (const signal of ENDING) process.off(signal, end);
  }
}
