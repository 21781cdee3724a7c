import fc from "fast-check";
import { expect, test } from "vitest";
import { PlacesById } from "./places-by-id.ts";

test("an id is found at its first place, and at its others one after the other", () => {
  const few = fc.array(fc.option(fc.constantFrom("a", "b", "c", "", "é", "__proto__")), { maxLength: 40 });
  fc.assert(
    fc.property(few, fc.array(fc.option(fc.string())), (some, others) => {
      const ids = [...some, ...others];
      const places = new PlacesById(ids.length, (place) => ids[place]!);
      for (const id of [...ids, "nowhere to be found"]) {
        if (id === null) continue;
        const found: number[] = [];
        for (let place = places.find(id); place >= 0; place = places.after(place)) found.push(place);
        expect(found).toEqual(ids.flatMap((other, place) => (other === id ? [place] : [])));
      }
    }),
  );
});

test("one id at every place takes time by their number only", () => {
  const count = 400_000;
  const start = performance.now();
  const places = new PlacesById(count, () => "same");
  expect([places.find("same"), places.find("other")]).toEqual([0, -1]);
  expect(performance.now() - start).toBeLessThan(10_000);
});
