import { type FreebieStore, MemoryFreebies } from "../gate/freebies.ts";
import { MemoryStore } from "../gate/memory-store.ts";
import { openSharedStore, SharedConfigDiffers } from "../gate/shared/open-shared-store.ts";
import type { SharedEvents, SharedStore } from "../gate/shared/shared-store.ts";
import type { Store } from "../gate/store.ts";
import { type Staged, stageConfig } from "../gate/update.ts";
import { DatabaseFreebies } from "../store/freebies.ts";
import type { FirstVersion } from "./first-version.ts";
import type { StoreSettings } from "./settings-schema.ts";
import { SharedFigures, type StoreFigures } from "./store-figures.ts";

/** A store as the server uses it. */
export interface OpenedStore {
  readonly kind: "memory" | "shared";
  readonly store: Store<boolean>;
  readonly freebies: FreebieStore;
  readonly figures: StoreFigures;
  /** Whether it, or its freebies, may answer later. */
  readonly waits: boolean;
  /** What is live there, and as which version: a shared store may know better than this process (G12). */
  readonly staged: Staged;
  readonly version: number;
  /** Lets time do its part: what is due expires (G4). */
  moveOn(now_ms: number): void;
  /** Why it cannot be used now; null: it can. */
  unready(): string | null;
  close(): void;
}

/**
 * Buckets and admissions of this process.
 * @param freebies file in which free requests are counted; null: in memory too. Throws where it cannot be used.
 */
export function openMemoryStore({ staged, version }: FirstVersion, freebies: string | null): OpenedStore {
  const store = new MemoryStore(staged.snapshot);
  const database = freebies === null ? null : new DatabaseFreebies(freebies);
  return {
    kind: "memory",
    store,
    freebies: database ?? new MemoryFreebies(),
    figures: store,
    waits: false,
    staged,
    version,
    moveOn: (now_ms) => store.moveOn(now_ms),
    unready: () => null,
    close: () => database?.close(),
  };
}

/**
 * The store that processes share. Where another version is live there, a process whose file says nothing new goes on
 * with that one; a file that says something new is refused, since it was not made from what is live (G8).
 */
export async function openStoreOfMany(
  { url, prefix, timeout_ms }: StoreSettings,
  first: FirstVersion,
  events: SharedEvents,
): Promise<OpenedStore> {
  const open = async ({ staged, version }: { staged: Staged; version: number }) => {
    const options = { prefix, timeout_ms, version, ...events };
    return opened(await openSharedStore(url, staged.snapshot, Date.now(), options), staged);
  };
  try {
    return await open(first);
  } catch (error) {
    if (!(error instanceof SharedConfigDiffers) || first.file_sha256 !== null) throw error;
    const staged = stageConfig(error.config, `version ${error.version} of the shared store`);
    if (!staged.ok) throw error;
    return open({ staged: staged.value, version: error.version });
  }
}

function opened(store: SharedStore, staged: Staged): OpenedStore {
  const figures = new SharedFigures(store);
  return {
    kind: "shared",
    store,
    freebies: store.freebies,
    figures,
    waits: true,
    staged,
    version: store.version,
    // A store that is away is told where it is asked for something; here there is nobody to tell.
    moveOn: () => void figures.refresh().catch(() => {}),
    unready: () => store.unready(),
    close: () => store.close(),
  };
}
