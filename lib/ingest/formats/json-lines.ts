import { guessColumns } from "./column-guess.ts";
import type { Format } from "./format.ts";
import { JsonReader, objectsOf } from "./json-format.ts";

/** JSON Lines with any fields. */
export const jsonLines: Format = {
  id: "json-lines",
  title: "JSON Lines",
  notes: ["What its fields mean is for you to say."],
  recognise: (lines) => (objectsOf(lines, new Map()).length > 0 ? { id: "json-lines" } : null),
  open: () => new JsonReader(new Map()),
  defaults: guessColumns,
};
