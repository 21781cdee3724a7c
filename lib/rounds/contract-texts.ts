import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { projectRoot } from "./settings.ts";

/** Both normative texts as Markdown: the round's and the gate's. */
export async function contractTexts(): Promise<{ throttle: string; gate: string }> {
  const read = (name: string) =>
    readFile(join(/* turbopackIgnore: true */ projectRoot(), "contract", name), "utf8");
  const [throttle, gate] = await Promise.all([read("throttle-contract.md"), read("gate-contract.md")]);
  return { throttle: throttle!, gate: gate! };
}
