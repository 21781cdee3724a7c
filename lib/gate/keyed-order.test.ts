import { expect, test } from "vitest";
import { KeyedOrder } from "./keyed-order.ts";

const client = { kind: "ip", value: "a" } as const;
const settle = () => new Promise((resolve) => setImmediate(resolve));

test("different clients do not wait for each other, and a failure does not stop the queue (G5)", async () => {
  const order = new KeyedOrder();
  const seen: string[] = [];
  const gates = Promise.withResolvers<void>();
  const first = expect(
    order.run(client, async () => {
      await gates.promise;
      seen.push("first");
      throw new Error("first fails");
    }),
  ).rejects.toThrow("first fails");
  const second = order.run(client, async () => seen.push("second"));
  await order.run({ kind: "token", value: "a" }, async () => seen.push("other"));
  gates.resolve();
  await first;
  await second;
  expect(seen).toEqual(["other", "first", "second"]);
  expect(order.size).toBe(0);
});

test("whoever waits for nobody begins at once (G5)", async () => {
  const order = new KeyedOrder();
  let begun = false;
  const work = order.run(client, async () => {
    begun = true;
  });
  expect(begun).toBe(true);
  await work;
});

test("one that comes when the first is over waits for the second, which is not (G5)", async () => {
  const order = new KeyedOrder();
  const seen: string[] = [];
  const slow = Promise.withResolvers<void>();
  const first = order.run(client, async () => seen.push("first"));
  const second = order.run(client, async () => {
    await slow.promise;
    seen.push("second");
  });
  await first;
  await settle();
  const third = order.run(client, async () => seen.push("third"));
  await settle();
  expect(seen).toEqual(["first"]);
  slow.resolve();
  await Promise.all([second, third]);
  expect(seen).toEqual(["first", "second", "third"]);
  expect(order.size).toBe(0);
});
