import { randomBytes } from "node:crypto";
import { chmod } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { writeFileAtomic } from "../store/atomic-file.ts";
import { FileProblem } from "../store/file-problem.ts";
import { readSmallFile } from "../store/read-file.ts";

const accessSchema = z.strictObject({ url: z.string(), token: z.string().min(16) });

/** Where the admin interface is, and what opens it. */
export type AdminAccess = z.output<typeof accessSchema>;

const fileIn = (data: string): string => join(data, "admin.json");

/** What the gate that keeps its data in a folder wrote down; null: no gate ever ran there. */
export async function readAdminAccess(data: string): Promise<AdminAccess | null> {
  try {
    const text = Buffer.from(await readSmallFile(fileIn(data), 64 * 1024)).toString("utf8");
    return accessSchema.parse(JSON.parse(text));
  } catch (error) {
    if (error instanceof FileProblem || error instanceof SyntaxError || error instanceof z.ZodError)
      return null;
    throw error;
  }
}

/** The token: the one of the settings, else the one of last time, else a new one. */
export async function adminToken(data: string, set: string | undefined): Promise<string> {
  return set ?? (await readAdminAccess(data))?.token ?? randomBytes(24).toString("base64url");
}

/** Writes down where the admin interface is, for programs of the same user alone. */
export async function writeAdminAccess(data: string, access: AdminAccess): Promise<void> {
  await writeFileAtomic(fileIn(data), [`${JSON.stringify(access)}\n`]);
  await chmod(fileIn(data), 0o600);
}
