import { SCRIPTS, type ScriptName, type Scripts } from "../../gate/shared/connection.ts";

/** A known fault of the store that processes share: what it puts in place of a part of the scripts (G12). */
export interface ScriptFault {
  readonly id: string;
  /** The clause it breaks. */
  readonly clause: string;
  /** One sentence: what goes wrong. */
  readonly summary: string;
  readonly part: string;
  readonly instead: string;
}

/** The scripts with a fault. Throws where its part is in none of them, or twice in one: a fault that changes nothing is none. */
export function faultyScripts({ id, part, instead }: ScriptFault): Scripts {
  const changed = Object.entries(SCRIPTS).map(([name, lua]): [string, string] => {
    const [before, after, ...others] = lua.split(part) as [string, string?, ...string[]];
    if (others.length > 0) throw new Error(`the part that ${id} replaces stands twice in ${name}`);
    return [name, after === undefined ? lua : before + instead + after];
  });
  const faulty = Object.fromEntries(changed) as Record<ScriptName, string>;
  if (changed.every(([name, lua]) => lua === SCRIPTS[name as ScriptName]))
    throw new Error(`the part that ${id} replaces is in no script`);
  return faulty;
}
