/** The cookie that tells a visit of a shared round from the next: without it a page begins one. */
export const VISIT = "visit";
/** A visit is over so long after its last page. */
export const VISIT_LIFE_S = 1800;
/** The request's header by which a page knows that a visit begins with it. */
export const OPENS = "x-opens-share";

const PAGE = /^(\/share\/[^/]+)(?:\/(?:buckets|dispatch|breaches|diff|checks|inputs))?\/?$/;

/**
 * What a request for a page of a shared round means for its count of openings: whichever page comes first counts, the
 * others of the visit do not. Null where it is no such page.
 * @param isKnown whether the visitor has the cookie of this link
 */
export function shareVisit(pathname: string, isKnown: boolean): { path: string; opens: boolean } | null {
  const path = PAGE.exec(pathname)?.[1];
  return path === undefined ? null : { path, opens: !isKnown };
}
