"use server";

import { z } from "zod";
import type { KeptDocument, KeptText, KeptVersion } from "../../../contract/round-view.ts";
import type { KeepResult } from "../../../lib/rounds/saved-documents.ts";
import { roundsService } from "../../../lib/rounds/shared-service.ts";
import { whyNot } from "../../../lib/rounds/why-not.ts";

const kind = z.enum(["contract", "policy"]);
const document = z.strictObject({ name: z.string().max(300), text: z.string() });
const keeping = z.strictObject({
  kind,
  name: z.string().max(300),
  after: z.number().int().min(0),
  texts: z.strictObject({ contract: document, policy: document }),
});

/** The kept documents of a kind, each with its latest version. */
export async function listDocuments(which: string): Promise<KeptDocument[]> {
  return (await roundsService()).documents.list(kind.parse(which));
}

/** The versions of a document, the latest first. */
export async function documentHistory(id: string): Promise<KeptVersion[]> {
  return (await roundsService()).documents.history(z.string().max(100).parse(id));
}

/** A version with its text, or why that is not given: what is stored is not what was kept. Null where there is none. */
export async function documentText(
  id: string,
  version: number,
): Promise<KeptText | { problem: string } | null> {
  const service = await roundsService();
  const [document_id, number] = [z.string().max(100).parse(id), z.number().int().parse(version)];
  try {
    return await service.documents.text(document_id, number);
  } catch (error) {
    return { problem: whyNot(error) };
  }
}

/** Keeps a document as the next version of its name. */
export async function keepDocument(value: unknown): Promise<KeepResult> {
  const { kind: which, name, after, texts } = keeping.parse(value);
  return (await roundsService()).documents.keep(which, name, after, texts);
}
