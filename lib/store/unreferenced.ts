import { rm } from "node:fs/promises";
import type { Artifacts } from "./artifacts.ts";

/**
 * Lets go of artifacts that nothing refers to any more. An artifact is stored before what refers to it is: nothing is let
 * go while something is being stored, and nothing begins to be stored while it is found out who refers to what.
 */
export class Unreferenced {
  private readonly artifacts: Artifacts;
  private readonly referenced: () => Promise<ReadonlySet<string>>;
  private readonly candidates = new Set<string>();
  /** What has been stored since nothing was being stored. */
  private readonly stored = new Set<string>();
  private storingNow = 0;
  private letting: Promise<void> | null = null;

  /** @param referenced every digest that something refers to */
  constructor(artifacts: Artifacts, referenced: () => Promise<ReadonlySet<string>>) {
    this.artifacts = artifacts;
    this.referenced = referenced;
    artifacts.onStored = (sha256) => this.stored.add(sha256);
  }

  /** Runs what stores artifacts and then something that refers to them; where it fails, what it has stored is let go. */
  async storing<T>(work: () => Promise<T>): Promise<T> {
    // Within another such work nothing is being let go, and this waits for nothing.
    while (this.letting !== null) await this.letting;
    this.storingNow++;
    try {
      return await work();
    } catch (error) {
      // Also what others have stored meanwhile: it is looked at when they too are done.
      for (const sha256 of this.stored) this.candidates.add(sha256);
      throw error;
    } finally {
      this.storingNow--;
      if (this.storingNow === 0) this.stored.clear();
      await this.letGo([]);
    }
  }

  /**
   * Removes those of some artifacts that nothing refers to: at once, or when what is being stored is stored. What cannot
   * be removed is told on stderr and goes at the next start; it is no failure of what was done before.
   */
  async letGo(digests: Iterable<string>): Promise<void> {
    for (const sha256 of digests) this.candidates.add(sha256);
    while (this.letting !== null) await this.letting;
    if (this.storingNow > 0 || this.candidates.size === 0) return;
    this.letting = this.removeAll().catch(console.error);
    await this.letting;
    this.letting = null;
  }

  private async removeAll(): Promise<void> {
    const digests = [...this.candidates];
    this.candidates.clear();
    const referenced = await this.referenced();
    for (const sha256 of digests)
      if (!referenced.has(sha256)) await rm(this.artifacts.path(sha256), { force: true });
  }
}
