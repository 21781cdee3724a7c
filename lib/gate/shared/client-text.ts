import type { ClientKey } from "../client.ts";

/** A client as a field of the store: its kind in one letter in front, so that no credential can be spelled like a network (G3). */
export const clientText = ({ kind, value }: ClientKey): string => `${kind === "token" ? "t" : "i"}${value}`;

export const clientFromText = (text: string): ClientKey => ({
  kind: text.startsWith("t") ? "token" : "ip",
  value: text.slice(1),
});
