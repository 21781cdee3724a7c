/** Cookie that keeps the chosen zone, so that the server writes the first page on the same clock. */
export const ZONE_COOKIE = "zone";
