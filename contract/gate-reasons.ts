// Apart from the schemas, so that a page that lists them ships no parser.

/** Why a request was denied (G3, G4, G6, G12). */
export const GATE_REASONS = ["rate", "capacity", "client", "unavailable"] as const;
export type GateReason = (typeof GATE_REASONS)[number];
/** How a provisional admission can have ended (G4). */
export const GATE_ENDS = ["committed", "cancelled", "expired"] as const;
export type GateEnd = (typeof GATE_ENDS)[number];
