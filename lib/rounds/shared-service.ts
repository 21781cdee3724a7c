import { openStore } from "../store/open-store.ts";
import { RoundsService } from "./service.ts";
import { dataDir } from "./settings.ts";

// A module may be evaluated several times in one server; the global object is one (and so the store is opened once).
const KEY = Symbol.for("tenantthrottle.rounds");
const holder = globalThis as { [KEY]?: Promise<RoundsService> };

async function open(): Promise<RoundsService> {
  const service = new RoundsService(await openStore(dataDir()));
  await service.resume();
  await service.seed();
  return service;
}

/** The one service of this process, opened at the first call. */
export function roundsService(): Promise<RoundsService> {
  holder[KEY] ??= open().catch((error: unknown) => {
    // The next call tries again: the directory may have been freed meanwhile.
    delete holder[KEY];
    throw error;
  });
  return holder[KEY];
}
