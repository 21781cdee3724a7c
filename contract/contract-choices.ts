/** Words of the contract (§1.1), apart from its schemas: forms offer them without carrying the schemas along. */
export const GROUP_BY = ["epoch", "request"] as const;
export const REFILL = ["snapshot", "continuous"] as const;
