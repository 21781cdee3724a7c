import type { BigIntStats } from "node:fs";
import { stat } from "node:fs/promises";
import { setTimeout } from "node:timers/promises";
import type { FileFault } from "../../contract/seal.ts";
import type { Artifacts } from "./artifacts.ts";

/** What an artifact's file was found to be. `found`: the digest of a file that is another one. */
export type Seal =
  | { kind: "kept" }
  | { kind: Exclude<FileFault, "changed"> }
  | { kind: "changed"; found: string };

/** The same without reading: `unread`, or being read now, where it is not known. */
export type Glance = Seal | { kind: "unread" | "reading" };

/** Files up to here are read before it is answered; larger ones meanwhile. */
const READ_AT_ONCE_BYTES = 64 * 1024 * 1024;
/** Digests remembered; those that were not asked for the longest are forgotten, and read again. */
const REMEMBERED = 20_000;
/** A file that changed so shortly before it was read could change again without another time: clocks of disks tick. */
const TICK_NS = 50_000_000n;
/** Files that wait to be read in passing; more are not noted, and asked for again. */
const PASSING = 2000;
/** Before files are read in passing: those that have just been written have another time by then. */
const PASSING_AFTER_MS = 100;
/** How often a file is read that changes while it is read. */
const TRIES = 3;

/** Not a pipe, which would be waited for, nor a device, which may have no end. */
const isFile = (found: BigIntStats): boolean => found.isFile();

/** What changes whenever a file's content does, though not only then. */
const identityOf = ({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): string =>
  [dev, ino, size, mtimeNs, ctimeNs].join(" ");

const isMissing = (error: unknown): boolean =>
  ["ENOENT", "ENOTDIR"].includes((error as NodeJS.ErrnoException).code ?? "");
const faultOf = (error: unknown): Seal => ({ kind: isMissing(error) ? "missing" : "unreadable" });

/**
 * Whether artifacts are still what their names say. A file is read once and its digest remembered; as long as it is the
 * same by size, times and inode, a look costs a stat.
 */
export class Seals {
  private readonly artifacts: Artifacts;
  private readonly readAtOnceBytes: number;
  private readonly known = new Map<string, { identity: string; digest: string }>();
  /** Files that are to be read in passing, and the work of it. */
  private readonly passing = new Set<string>();
  private passes: Promise<void> | null = null;
  /** Files that could not be read in passing, by what they were then. */
  private readonly unreadable = new Map<string, string>();
  /** Files that are being read. */
  private readonly reading = new Map<string, Promise<Seal>>();

  constructor(artifacts: Artifacts, readAtOnceBytes = READ_AT_ONCE_BYTES) {
    this.artifacts = artifacts;
    this.readAtOnceBytes = readAtOnceBytes;
  }

  /** What an artifact is, as far as it is known: of a large one that must be read first that it is being checked. */
  async look(sha256: string): Promise<Seal> {
    try {
      const found = await stat(this.artifacts.path(sha256), { bigint: true });
      if (!isFile(found)) return { kind: "unreadable" };
      const remembered = this.remembered(sha256, identityOf(found));
      if (remembered !== null) return remembered;
      const read = this.read(sha256);
      return found.size > this.readAtOnceBytes ? { kind: "checking" } : await read;
    } catch (error) {
      return faultOf(error);
    }
  }

  /** What an artifact is, however long it takes to find out. */
  async check(sha256: string): Promise<Seal> {
    try {
      const found = await stat(this.artifacts.path(sha256), { bigint: true });
      if (!isFile(found)) return { kind: "unreadable" };
      return this.remembered(sha256, identityOf(found)) ?? (await this.read(sha256));
    } catch (error) {
      return faultOf(error);
    }
  }

  /**
   * What an artifact is, as far as a stat tells. @param reads whether one that is not known is read in passing, one after
   * the other with all such: it is known at a later look. Large ones are read for nobody's list.
   */
  async glance(sha256: string, reads: boolean): Promise<Glance> {
    try {
      const found = await stat(this.artifacts.path(sha256), { bigint: true });
      if (!isFile(found)) return { kind: "unreadable" };
      const remembered = this.remembered(sha256, identityOf(found));
      if (remembered !== null) return remembered;
      if (this.unreadable.get(sha256) === identityOf(found)) return { kind: "unreadable" };
      if (!reads || found.size > this.readAtOnceBytes || !this.readInPassing(sha256))
        return { kind: "unread" };
      return { kind: "reading" };
    } catch (error) {
      return faultOf(error);
    }
  }

  /** False where there is too much to be read already. */
  private readInPassing(sha256: string): boolean {
    if (this.passing.size >= PASSING && !this.passing.has(sha256)) return false;
    this.passing.add(sha256);
    this.passes ??= this.readPassing().finally(() => {
      this.passes = null;
    });
    return true;
  }

  private async readPassing(): Promise<void> {
    await setTimeout(PASSING_AFTER_MS, undefined, { ref: false });
    for (const sha256 of this.passing) {
      const state = await this.state(sha256);
      // Not asked for again and again.
      if ((await this.check(sha256)).kind === "unreadable") this.unreadable.set(sha256, state);
      this.passing.delete(sha256);
    }
  }

  /** A text that is another one whenever an artifact's file was touched since: written, renamed, replaced; "" where there is none. */
  async state(sha256: string): Promise<string> {
    return stat(this.artifacts.path(sha256), { bigint: true }).then(identityOf, () => "");
  }

  private remembered(sha256: string, identity: string): Seal | null {
    const known = this.known.get(sha256);
    return known?.identity === identity ? this.judged(sha256, known.digest) : null;
  }

  private judged(sha256: string, digest: string): Seal {
    return digest === sha256 ? { kind: "kept" } : { kind: "changed", found: digest };
  }

  /** Reads a file, at a time once. Never rejects. */
  private read(sha256: string): Promise<Seal> {
    const reading =
      this.reading.get(sha256) ??
      this.readFile(sha256)
        .catch(faultOf)
        .finally(() => this.reading.delete(sha256));
    this.reading.set(sha256, reading);
    return reading;
  }

  private async readFile(sha256: string): Promise<Seal> {
    const path = this.artifacts.path(sha256);
    for (let tries = 0; tries < TRIES; tries++) {
      const asked_ns = BigInt(Date.now()) * 1_000_000n;
      const before = await stat(path, { bigint: true });
      const digest = await this.artifacts.digestFile(path);
      const identity = identityOf(before);
      if (identityOf(await stat(path, { bigint: true })) !== identity) continue;
      if (asked_ns - before.ctimeNs > TICK_NS) this.remember(sha256, identity, digest);
      return this.judged(sha256, digest);
    }
    return { kind: "unreadable" };
  }

  private remember(sha256: string, identity: string, digest: string): void {
    this.known.delete(sha256);
    this.known.set(sha256, { identity, digest });
    if (this.known.size > REMEMBERED) this.known.delete(this.known.keys().next().value!);
  }
}
