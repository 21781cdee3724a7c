"use server";

import { refresh } from "next/cache";
import { z } from "zod";
import type { GatePublished, GateStaged, GateVersionDetail } from "../../contract/gate-admin.ts";
import type { GateAnswer } from "../../contract/gate-console.ts";
import { gateVersion, publishText, rollBack, stageText } from "../../lib/gate-console/gate-console.ts";

const text = z.string().max(16 * 1024 * 1024);
const version = z.int().min(1);
const note = z.string().max(2000);

/** Validates a configuration beside the live one (G8). */
export async function stage(config: string): Promise<GateAnswer<GateStaged>> {
  return stageText(text.parse(config));
}

/** Publishes a configuration in place of a version (G8). */
export async function publish(config: string, from: number, why: string): Promise<GateAnswer<GatePublished>> {
  return publishText(text.parse(config), version.parse(from), note.parse(why));
}

/** Publishes an earlier version again (G8). */
export async function rollBackTo(to: number, from: number, why: string): Promise<GateAnswer<GatePublished>> {
  const answer = await rollBack(version.parse(to), version.parse(from), note.parse(why));
  refresh();
  return answer;
}

/** A version with its configuration. */
export async function readVersion(number: number): Promise<GateAnswer<GateVersionDetail>> {
  return gateVersion(version.parse(number));
}
