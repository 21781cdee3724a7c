import { expect, test } from "vitest";
import type { GroupRow, GroupRows } from "../../contract/group.ts";
import { MadeRows } from "../../contract/rows.ts";
import { alongOrder, amongGroups } from "./group-of-request.ts";

const group = (position: number, ...req_ids: string[]) => ({ position, req_ids }) as GroupRow;

test("a request is found in its group, the first and the last of it too, and one of nobody's in none", () => {
  const find = amongGroups([group(0, "a", "b"), group(1, "c")]);
  expect(["a", "b", "c", "__proto__"].map((id) => find(id)?.position)).toEqual([0, 0, 1, undefined]);
});

/** Members of three groups in turn; how often an id of the order was looked at. */
function round(count: number) {
  let looked = 0;
  const order = new MadeRows(count, (place) => {
    looked += 1;
    return `req-${place}`;
  });
  const groups = Object.assign(new MadeRows(3, (position) => group(position)), {
    ofPlace: (place: number) => group(place % 3),
    columns: () => {
      throw new Error("nobody asks for columns");
    },
  }) satisfies GroupRows;
  return { find: alongOrder(order, groups), looked: () => looked };
}

test("requests that are asked for in their order are met on the way, the same one again too", () => {
  const { find, looked } = round(1000);
  for (const place of [0, 1, 1, 7, 998, 999, 999]) expect(find(`req-${place}`)).toEqual(group(place % 3));
  // One look a place, and one for each that was asked for again or first.
  expect(looked()).toBe(1006);
});

test("whatever the order in which they are asked for each is found, and nobody's is not", () => {
  const { find } = round(100);
  for (let asked = 0; asked < 300; asked++) {
    const place = (asked * 37) % 101;
    expect(find(`req-${place}`)).toEqual(place === 100 ? undefined : group(place % 3));
  }
});

test("to ask backwards costs no square of looks", () => {
  const count = 20_000;
  const { find, looked } = round(count);
  for (let place = count - 1; place >= 0; place--) expect(find(`req-${place}`)).toEqual(group(place % 3));
  expect(looked()).toBeLessThan(count * 8);
});

test("of no requests none is found", () => {
  expect(round(0).find("req-0")).toBeUndefined();
});
