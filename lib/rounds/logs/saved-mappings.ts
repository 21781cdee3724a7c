import type { InputProblem } from "../../../contract/input.ts";
import type { MappingDraft, SavedMapping } from "../../../contract/mapping.ts";
import { nameFault } from "../../../contract/name.ts";
import { readMapping } from "../../ingest/log/request-mapper.ts";
import type { Store } from "../../store/open-store.ts";
import { told } from "../why-not.ts";

/** Mappings that people keep by name, for the next log of the same kind. */
export class SavedMappings {
  private readonly store: Store;

  constructor(store: Store) {
    this.store = store;
  }

  async list(): Promise<SavedMapping[]> {
    const rows = await this.store.mappings.list();
    return rows.map(({ name, text, saved_at_ms }) => ({
      name,
      saved_at_ms,
      mapping: JSON.parse(text) as MappingDraft,
    }));
  }

  /** Keeps a sound mapping; one of the same name is replaced. Answers what is wrong; nothing is kept then. */
  async save(name: string, mapping: unknown): Promise<InputProblem[]> {
    const fault = nameFault(name);
    if (fault !== null) return [{ file: "mapping", path: "name", message: fault }];
    const read = readMapping(mapping);
    if (!read.ok) return read.problems;
    const saved = { name, text: JSON.stringify(mapping), saved_at_ms: Date.now() };
    const problem = await told(() => this.store.mappings.save(saved));
    return problem === null ? [] : [{ file: "mapping", path: "", message: problem }];
  }

  remove(name: string): Promise<boolean> {
    return this.store.mappings.remove(name);
  }
}
