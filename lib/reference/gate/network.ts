/** Addresses as G3 sees them, read and written without a library. */

function v4Bits(text: string): bigint | null {
  const parts = text.split(".");
  if (parts.length !== 4) return null;
  let bits = 0n;
  for (const part of parts) {
    if (!/^(0|[1-9][0-9]{0,2})$/.test(part) || Number(part) > 255) return null;
    bits = bits * 256n + BigInt(part);
  }
  return bits;
}

/** The 16-bit groups of one side of `::`; a dotted quad may stand for the last two. */
function groupsOf(text: string): bigint[] | null {
  if (text === "") return [];
  const groups: bigint[] = [];
  const parts = text.split(":");
  for (const [index, part] of parts.entries()) {
    if (index === parts.length - 1 && part.includes(".")) {
      const quad = v4Bits(part);
      if (quad === null) return null;
      groups.push(quad >> 16n, quad & 0xffffn);
    } else if (/^[0-9a-fA-F]{1,4}$/.test(part)) groups.push(BigInt(`0x${part}`));
    else return null;
  }
  return groups;
}

function v6Bits(text: string): bigint | null {
  const sides = text.split("::");
  if (sides.length > 2) return null;
  // A dotted quad is only allowed at the very end, so not before `::`.
  if (sides.length === 2 && sides[0]!.includes(".")) return null;
  const left = groupsOf(sides[0]!);
  const right = groupsOf(sides[1] ?? "");
  if (left === null || right === null) return null;
  const missing = 8 - left.length - right.length;
  if (sides.length === 1 ? missing !== 0 : missing < 1) return null;
  return [...left, ...Array<bigint>(missing).fill(0n), ...right].reduce(
    (sum, group) => sum * 65_536n + group,
    0n,
  );
}

/** Without brackets, port and zone: none of them is part of an address (G3). */
function bare(text: string): string {
  const bracketed = /^\[([^\]]*)\](?::[0-9]{1,5})?$/.exec(text);
  const withPort = /^([0-9.]+):[0-9]{1,5}$/.exec(text);
  const address = bracketed?.[1] ?? withPort?.[1] ?? text;
  return address.includes(":") ? address.replace(/%[0-9A-Za-z._~-]+$/, "") : address;
}

function v4Text(bits: bigint): string {
  return [24n, 16n, 8n, 0n].map((shift) => (bits >> shift) & 255n).join(".");
}

/** RFC 5952: lower case, no leading zeros, the first longest run of at least two zero groups shortened. */
function v6Text(bits: bigint): string {
  const groups = Array.from({ length: 8 }, (_, index) =>
    ((bits >> BigInt(112 - 16 * index)) & 0xffffn).toString(16),
  );
  let best = { start: 0, length: 1 };
  for (let start = 0; start < 8; start += 1) {
    let length = 0;
    while (groups[start + length] === "0") length += 1;
    if (length > best.length) best = { start, length };
  }
  if (best.length < 2) return groups.join(":");
  return `${groups.slice(0, best.start).join(":")}::${groups.slice(best.start + best.length).join(":")}`;
}

const cut = (bits: bigint, width: number, prefix: number): bigint =>
  (bits >> BigInt(width - prefix)) << BigInt(width - prefix);

/** The network of an address with its bits, as a client is shown (G3); null where the text is no address. */
export function networkOf(text: string, prefix: { v4: number; v6: number }): string | null {
  const address = bare(text);
  const six = v6Bits(address);
  // ::ffff:0:0/96, whatever its spelling, is the IPv4 address in it.
  const four = six === null ? v4Bits(address) : six >> 32n === 0xffffn ? six & 0xffffffffn : null;
  if (four !== null) return `${v4Text(cut(four, 32, prefix.v4))}/${prefix.v4}`;
  return six === null ? null : `${v6Text(cut(six, 128, prefix.v6))}/${prefix.v6}`;
}
