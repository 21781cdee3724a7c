import fc from "fast-check";
import { expect, test } from "vitest";
import { networkOf as referenceNetwork } from "../reference/gate/network.ts";
import { addressOf, clientOf, forwardedAddress, hopOf, networkOf } from "./client.ts";

const prefix = { v4: 24, v6: 48 };
const client = (text: string, bits = prefix): string | null => {
  const address = addressOf(text);
  return address === null ? null : clientOf(address, bits).value;
};

test.each([
  ["192.0.2.77", "192.0.2.0/24"],
  ["192.0.2.77:8080", "192.0.2.0/24"],
  ["::ffff:192.0.2.77", "192.0.2.0/24"],
  ["::FFFF:C000:24D", "192.0.2.0/24"],
  ["0:0:0:0:0:ffff:c000:24d", "192.0.2.0/24"],
  ["[::ffff:192.0.2.77]:443", "192.0.2.0/24"],
  ["2001:DB8:0001:0:0:0:0:1", "2001:db8:1::/48"],
  ["[2001:db8:1::1]:443", "2001:db8:1::/48"],
  ["[2001:db8:1::1]", "2001:db8:1::/48"],
  ["fe80::1%eth0", "fe80::/48"],
  ["::", "::/48"],
  ["::192.0.2.77", "::/48"],
])("%s is the client %s, however it is spelled (G3)", (text, shown) => {
  expect(client(text)).toBe(shown);
  expect(referenceNetwork(text, prefix)).toBe(shown);
});

test.each([
  "",
  "nobody",
  "192.0.2",
  "192.0.2.256",
  "192.0.02.1",
  "0xc0.0.2.1",
  "3221225985",
  "1::2::3",
  "::ffff:1.2.3",
  "12345::",
  "[192.0.2.1",
  " 192.0.2.1",
  "1:2:3:4:5:6:7:8:9",
  "::192.0.2.01",
  "unix:",
  "1.2.3.4:1:2:3:4:5:6",
  "1.2.3.4::",
  "::1.2.3.4:1",
  "[::1]x",
  "[::1]:123456",
  "x[::1]",
  "192.0.2.1:123456",
  "192.0.2.1:80x",
  "192.0.2.1%eth0",
  "1%a:2:3:4:5:6:7:8",
  "::1%",
  "::1%a%b",
  "1:2:3:4:5:6:7",
  "1:2:3:4:5:6:7:8::",
  "1::2:3:4:5:6:7:8:9",
])("%j is no address (G3)", (text) => {
  expect(client(text)).toBeNull();
  expect(referenceNetwork(text, prefix)).toBeNull();
});

const bits = fc.record({ v4: fc.integer({ min: 0, max: 32 }), v6: fc.integer({ min: 0, max: 128 }) });
const group = fc.constantFrom("0", "0", "0000", "1", "ab", "FFFF", "ffff", "2001", "g", "");
const spelled = fc.oneof(
  fc.ipV4(),
  fc.ipV6(),
  fc.ipV4().map((four) => `::ffff:${four}`),
  fc.array(group, { minLength: 1, maxLength: 9 }).map((groups) => groups.join(":")),
  fc
    .tuple(fc.array(group, { maxLength: 6 }), fc.array(group, { maxLength: 6 }))
    .map(([a, b]) => `${a.join(":")}::${b.join(":")}`),
  fc
    .array(fc.constantFrom("1", ".", ":", "0", "255", "[", "]", "%", "::", "f"), { maxLength: 12 })
    .map((parts) => parts.join("")),
);

test("gate and reference read and show every spelling alike (G3)", () => {
  fc.assert(
    fc.property(spelled, bits, (text, cut) => {
      expect(client(text, cut)).toBe(referenceNetwork(text, cut));
    }),
    { numRuns: 20_000 },
  );
});

const trusted = ["10.0.0.0/8", "2001:db8:ff::/48"].map((text) => networkOf(text)!);
const seen = (peer: string, header: string) => forwardedAddress(peer, header, (text) => hopOf(text, trusted));

test("X-Forwarded-For is read only from a trusted peer, from the right (G3)", () => {
  expect(seen("192.0.2.1", "198.51.100.1")).toBe("192.0.2.1");
  expect(seen("10.0.0.1", "198.51.100.1")).toBe("198.51.100.1");
  expect(seen("10.0.0.1", "203.0.113.5, 198.51.100.1")).toBe("198.51.100.1");
  expect(seen("10.0.0.1", "203.0.113.5, 198.51.100.1,10.9.9.9 , [2001:db8:ff::2]:80")).toBe("198.51.100.1");
  expect(seen("::ffff:10.0.0.1", "198.51.100.1:1234")).toBe("198.51.100.1");
  expect(seen("10.0.0.1", "10.0.0.2, 10.0.0.3")).toBe("10.0.0.2");
  expect(seen("10.0.0.1", "10.0.0.22")).toBe("10.0.0.22");
  expect(seen("10.0.0.1", "10.0.0.2,")).toBe("10.0.0.1");
  expect(seen("10.0.0.1", ",192.0.2.9")).toBe("192.0.2.9");
  expect(seen("10.0.0.1", ",10.0.0.3")).toBe("10.0.0.3");
});

test("a hop that is no address ends the walk at its right (G3)", () => {
  expect(seen("10.0.0.1", "198.51.100.1, unknown, 10.0.0.3")).toBe("10.0.0.3");
  expect(seen("10.0.0.1", "")).toBe("10.0.0.1");
  expect(seen("not an address", "198.51.100.1")).toBeNull();
});

test.each([
  ["::ffff:10.0.0.0/104", true],
  ["10.0.0.0", false],
  ["10.0.0.0/33", false],
  ["10.0.0.0/08", false],
  ["10.0.0.0/8/8", false],
  ["::/129", false],
  ["::ffff:10.0.0.0/95", false],
  ["10.0.0.0:80/8", false],
  ["nobody/8", false],
  ["10.0.0.1/32", true],
  ["::1/128", true],
  ["::1/0", true],
])("network %s: %s (G1)", (text, ok) => {
  expect(networkOf(text) !== null).toBe(ok);
});
