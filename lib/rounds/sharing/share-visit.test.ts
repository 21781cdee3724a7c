import { expect, test } from "vitest";
import { shareVisit } from "./share-visit.ts";

test.each(["", "/buckets", "/dispatch", "/breaches", "/diff", "/checks", "/inputs", "/diff/"])(
  "whichever page of a link comes first begins a visit (%s)",
  (tab) => {
    expect(shareVisit(`/share/token${tab}`, false)).toEqual({ path: "/share/token", opens: true });
    expect(shareVisit(`/share/token${tab}`, true)).toEqual({ path: "/share/token", opens: false });
  },
);

test.each(["/share", "/rounds/x", "/share/token/opengraph-image", "/api/share/token/places", "/share/a/b/c"])(
  "what is no page of a link begins none (%s)",
  (path) => {
    expect(shareVisit(path, false)).toBeNull();
  },
);
