/**
 * Says, before anything is built or announced, that the console could not have its data folder: another process has it, or
 * it cannot be written (status 3, as when the console itself is refused it).
 */
import { dataDir } from "../lib/rounds/settings.ts";
import { takeDataDirectory } from "../lib/store/data-lock.ts";

try {
  const giveBack = await takeDataDirectory(dataDir());
  giveBack();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 3;
}
